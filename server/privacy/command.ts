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

const usage = `用法：npm run school -- student export 编号 [--to 文件]
      npm run school -- student erase 编号 [--yes]

  export    把一名学员的全部数据写入压缩包：学员数据.json 和上传的文件
            （默认：student-编号.zip）
  erase     按表列出会删除什么；加上 --yes 就永久删除：姓名、手机号、写过的内容、
            图片、短信。成绩、考勤和人数保留在“已注销学员”名下

编号是学员自己的编号，在“学员”里该学员的页面上。
退出码：0 完成，1 被拒绝，2 命令写得不对。`;

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
      return { wrong: '请写明做什么，以及学员的编号' };
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
