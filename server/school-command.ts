/** `npm run school -- …`: imports of a school's data, and all that there is of one student. */
import { runImports } from '#server/import/command.ts';
import { runStudentCommand } from '#server/personal/command.ts';
import { exitCodeOf } from '#server/school/at-command-line.ts';

const [word, ...args] = process.argv.slice(2);

process.exitCode = await exitCodeOf(word === 'student' ? runStudentCommand(args) : runImports(process.argv.slice(2)));
