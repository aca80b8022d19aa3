/** `npm run school -- …`: imports of a school's data, and all that there is of one student. */
import { runImports } from '#server/import/command.ts';
import { runStudentCommand } from '#server/personal/command.ts';
import { isDatabaseAway } from '#server/platform/db/engine.ts';

const [word, ...args] = process.argv.slice(2);

process.exitCode = await (word === 'student' ? runStudentCommand(args) : runImports(process.argv.slice(2))).catch(
  (error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
    return 1;
  },
);
