/** `npm run school -- …`: imports, one student's data, moving a school, partitions of school years, reading questions. */
import { runImports } from '#server/import/command.ts';
import { lowerPriority } from '#server/platform/jobs/priority.ts';
import { runStudentCommand } from '#server/privacy/command.ts';
import { runQuestionsCommand } from '#server/questions/command.ts';
import { exitCodeOf } from '#server/school/command-line.ts';
import { runYearsCommand } from '#server/school/years-command.ts';
import { runMoveCommand } from '#server/school-transfer/command.ts';

// Lowers the priority, so that a server on the same machine runs first.
lowerPriority();
const [word, ...args] = process.argv.slice(2);
const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  student: runStudentCommand,
  move: runMoveCommand,
  years: runYearsCommand,
  questions: runQuestionsCommand,
};
const command = commands[word ?? ''];

process.exitCode = await exitCodeOf(command ? command(args) : runImports(process.argv.slice(2)));
