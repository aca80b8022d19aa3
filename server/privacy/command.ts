/** `npm run school -- student …`: exports or erases all data of one student on the command line. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import {
  type Help,
  isId,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import { type CommandServices, runWithServices } from '#server/school/command-line.ts';
import { type Eraser, erase, previewErasure } from './erase.ts';
import { exportedData } from './export.ts';
import { deleteErasedFiles } from './removal.ts';

const usage = `Usage: npm run school -- student export ID [--to FILE]
       npm run school -- student erase ID [--yes]

  export    writes all that there is of a student into a zip: 学员数据.json and what they uploaded
            (default: student-ID.zip)
  erase     says what would go, by table; with --yes it goes, for ever: name, mobile numbers, what they
            wrote, pictures, text messages. Marks, attendance and counts stay under 已注销学员

ID is the student's own (编号), as their page under 学员 shows it.
Exit code: 0 done, 1 refused, 2 not understood.`;

export interface StudentCommand {
  name: 'export' | 'erase';
  id: number;
  to: string;
  yes: boolean;
}

const options = { to: { type: 'string', default: '' }, yes: { type: 'boolean', default: false } } as const;

/** Parses the arguments; returns a usage error if they are wrong. */
export const readStudentCommand = (args: string[]): StudentCommand | Help | WrongArgument =>
  parseArguments(args, options, (values, [name, id = '', ...more]) => {
    if ((name !== 'export' && name !== 'erase') || !isId(id) || more.length > 0)
      return { wrong: 'Say what to do with which student, by their id.' };
    return { name, id: Number(id), to: values.to || `student-${id}.zip`, yes: values.yes };
  });

/** Runs the command; returns lines to print, or a refusal. */
export async function doStudentCommand(
  { name, id, to, yes }: StudentCommand,
  { database: { db }, storage, now }: CommandServices,
): Promise<string[] | Refusal> {
  const eraser: Eraser = { db, actor: null, now };
  if (name === 'export') {
    const file = await exportedData({ ...eraser, storage }, id);
    if (isRefusal(file)) return file;
    await pipeline(file.bytes, createWriteStream(to, { mode: 0o600 }));
    return [to];
  }
  const would = await previewErasure(eraser, id);
  if (isRefusal(would)) return would;
  const said = would.counts.map(({ table, name: called, becomes, count }) => `${becomes} ${count} ${table} ${called}`);
  if (!yes) {
    const rest = would.fault || 'Nothing was done: --yes erases it, for ever.';
    return [`${id} ${would.nickname}`, ...said, rest];
  }
  const outcome = await inTransaction(db, (trx) => erase({ ...eraser, db: trx }, id, undefined));
  if (isRefusal(outcome)) return outcome;
  const files = await deleteErasedFiles({ db, storage });
  return [...said, `deleted ${files} files`, `${id} is erased`];
}

/** Runs the command; returns the exit code. */
export const runStudentCommand = (args: string[]): Promise<number> =>
  runCommandLine(readStudentCommand(args), usage, (command) =>
    runWithServices((atHand) => doStudentCommand(command, atHand)),
  );
