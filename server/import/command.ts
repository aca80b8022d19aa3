/** Imports from the command line, where nobody is signed in. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import {
  type Help,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { wallClock } from '#server/school/calendar.ts';
import { runOnDatabase } from '#server/school/command-line.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { summariseReading } from './formats/reading-summary.ts';
import { type Hold, unconfirmedHolds } from './hold-rules.ts';
import { claimImport, startJob } from './jobs.ts';
import { importersByKind } from './kinds.ts';
import { readUpload } from './read-upload.ts';
import { refusedPlaces, remarksOf } from './remarks.ts';
import { canBeUndone } from './retention.ts';
import { applyFault, discardFault, type ImportJob, importMessages, undoFault } from './rules.ts';
import { sourceOfImporter } from './source.ts';
import { isWhollyRefused, type ParsedUpload, type Remark } from './source-record.ts';
import { hashOf } from './store-upload.ts';
import { type Counts, commandLineActor, type StoredImport, storedImport } from './stored-import.ts';
import { storeUploadRows } from './upload.ts';

const usage = `用法：npm run school -- check|apply|undo|discard 文件 [--source 来源] [--json]

      npm run school -- student export|erase 编号、move 编号、years、questions（各加 --help 看说明）

把文件里的学校数据导入 DATABASE_URL 的数据库，没有设置时是 VAR_DIR（默认 var）里的 school.db。

  check     说明会有哪些变化，什么也不改
  apply     导入；离开或修改的太多时先停下，等您确认
  undo      撤销从这个文件导入的内容，14天以内
  discard   放弃已检查、还没有导入的内容

  --source 来源        数据从哪里来；同一来源里不再出现的会离开（默认：命令行）
  --confirm 种类.原因=数量
                       停下之后确认继续，如 --confirm student.leaves=12
  --no-departures      只新增和修改，谁也不离开
  --strict             按标准读取，不照顾不规范的写法
  --json               输出 {"verdict", "faults", "forgiven", "changes", "held", "state"}

退出码：0 已接受，1 被拒绝，2 命令写得不对。`;

export interface SchoolCommand {
  name: 'check' | 'apply' | 'undo' | 'discard';
  file: string;
  source: string;
  confirmed: Record<string, number>;
  departures: boolean;
  strict: boolean;
  json: boolean;
}

const names = ['check', 'apply', 'undo', 'discard'] as const;
const options = {
  source: { type: 'string', default: '命令行' },
  confirm: { type: 'string', multiple: true, default: [] as string[] },
  'no-departures': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

export const readSchoolCommand = (args: string[]): SchoolCommand | Help | WrongArgument =>
  parseArguments(args, options, (values, [word, file, ...more]) => {
    const name = names.find((one) => one === word);
    if (!name || file === undefined || more.length > 0) return { wrong: '请写明做什么、用哪个文件' };
    const confirmed = values.confirm.map((one) => one.split('=', 2) as [string, string]);
    return {
      name,
      file,
      source: values.source,
      confirmed: Object.fromEntries(confirmed.map(([what, number]) => [what, Number(number)])),
      departures: !values['no-departures'],
      strict: values.strict,
      json: values.json,
    };
  });

interface Fault {
  file: string;
  row: number;
  field: string;
  message: string;
}

export interface Outcome {
  verdict: 'ok' | 'warn' | 'err';
  faults: Fault[];
  /** Messages about values that were read despite another notation, that are doubtful, or that were left out. */
  forgiven: Fault[];
  /** Number of rows by kind and outcome, without zeros. */
  changes: Counts;
  held: Hold[];
  /** State of the import now; '' if nothing was stored. */
  state: string;
}

/** Builds the result of a command. `reading`: messages about the file; they make the difference between ok and warn. */
const makeOutcome = (
  more: Partial<Outcome>,
  { forgiven, doubted }: Pick<ParsedUpload, 'forgiven' | 'doubted'> = { forgiven: [], doubted: [] },
): Outcome => {
  const whole = { faults: [], forgiven: [], changes: {}, held: [], state: '', ...more };
  return { verdict: summariseReading({ refused: whole.faults, forgiven, doubted }).verdict, ...whole };
};

const faultOf = (file: string, message: string): Fault => ({ file, row: 0, field: '', message });
const faultsOf = (remarks: readonly Remark[]): Fault[] =>
  remarks.map(({ file, row, field, message }) => ({ file, row, field, message }));

/** Runs the command. The verdict in the result says whether the file was accepted. */
export async function runSchoolCommand(command: SchoolCommand, database: OpenDatabase, now: number): Promise<Outcome> {
  const { db } = database;
  const { timezone } = await schoolSettings(db, now);
  const fileName = path.basename(command.file);
  const refuse = (message: string, more: Partial<Outcome> = {}) =>
    makeOutcome({ ...more, faults: [faultOf(fileName, message), ...(more.faults ?? [])] });
  let bytes: Buffer;
  try {
    bytes = await readFile(command.file);
  } catch {
    return refuse(importMessages.noFile);
  }
  const hash = hashOf(bytes);
  const known = await latest(database, { hash, source: command.source });
  const run = async (importId: number, job: ImportJob): Promise<Refusal | null | 'busy'> => {
    if (!(await claimImport(db, importId, job))) return 'busy';
    const order = { importId, job, importer: commandLineActor, now, timezone, departures: command.departures };
    return startJob({ database, log: openLog() }, order, { whole: true, alone: true });
  };
  const failed = (outcome: Refusal | null | 'busy') => (outcome === 'busy' ? importMessages.busy : outcome?.msg);

  if (command.name === 'undo' || command.name === 'discard') {
    if (!known) return refuse(importMessages.neverSeen);
    const fault =
      command.name === 'undo'
        ? undoFault({ ...known, isKept: await canBeUndone({ db, now }, known) })
        : discardFault(known);
    if (fault) return refuse(fault, { state: known.state });
    if (command.name === 'discard') {
      await db.updateTable('import').set({ state: 'discarded' }).where('id', '=', known.id).execute();
    } else {
      const why = failed(await run(known.id, 'undo'));
      if (why) return refuse(why, { state: known.state });
    }
    const { state, counts } = await storedImport(db, known.id);
    return makeOutcome({ state, changes: counts });
  }

  const storedFile = await keepFile(database, command, { fileName, hash, now, timezone });
  if ('verdict' in storedFile) return storedFile;
  const { importId, reading } = storedFile;
  const why = failed(await run(importId, 'check'));
  const said = async (more: Partial<Outcome> = {}) => {
    const { state, counts, holds } = await storedImport(db, importId);
    const told = async (tone: 'refused' | 'forgiven' | 'doubted') =>
      faultsOf(await remarksOf(db, importId, tone).execute());
    const refused = await told('refused');
    // In strict mode a fault is reported only once, not again for every record that refers to its row.
    const follow = command.strict && refused.length > 0 ? [] : await refusedPlaces(db, importId);
    const whole = {
      state,
      changes: counts,
      held: holds,
      faults: [...refused, ...follow],
      forgiven: [...(await told('forgiven')), ...(await told('doubted'))],
      ...more,
    };
    return makeOutcome(whole, reading);
  };
  if (why) return refuse(why, await said());
  if (command.name === 'check') return said();
  const checked = await storedImport(db, importId);
  const fault = applyFault(checked);
  if (fault) return refuse(fault, await said());
  const open = unconfirmedHolds(checked.holds, command);
  if (open.length > 0) {
    const held = await said();
    return { ...held, verdict: 'err', held: open };
  }
  const unapplied = failed(await run(importId, 'apply'));
  return unapplied ? refuse(unapplied, await said()) : said();
}

/** Stores the file; returns only the messages, so that the memory of a large file is freed. */
async function keepFile(
  { db }: OpenDatabase,
  { file, source: name, strict }: SchoolCommand,
  { fileName, hash, now, timezone }: { fileName: string; hash: string; now: number; timezone: string },
): Promise<Outcome | { importId: number; reading: Pick<ParsedUpload, 'forgiven' | 'doubted'> }> {
  const source = sourceOfImporter(name, commandLineActor);
  const reader = { db, source, importer: commandLineActor, timezone, now, strict, hash };
  const reading = await readUpload({ name: fileName, path: file }, reader);
  const { refused, forgiven, doubted } = reading;
  if (isWhollyRefused(reading))
    return makeOutcome({ faults: faultsOf(refused), forgiven: faultsOf([...forgiven, ...doubted]) });
  const owners = importersByKind({ timezone, now });
  const upload = { source, fileName, hash, reading };
  const importId = await storeUploadRows({ db, importer: commandLineActor, now, owners }, upload);
  return { importId, reading: { forgiven, doubted } };
}

/** Finds the latest import of the same file from the same source. */
async function latest(
  { db }: OpenDatabase,
  { hash, source }: { hash: string; source: string },
): Promise<StoredImport | undefined> {
  const found = await db
    .selectFrom('import')
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .select('import.id')
    .where('import.content_hash', '=', hash)
    .where('import_source.name', '=', source)
    .where('import_source.owner', '=', '')
    .where('import.state', '!=', 'discarded')
    .orderBy('import.id', 'desc')
    .executeTakeFirst();
  return found && storedImport(db, found.id);
}

/** Maximum number of faults that the command prints. */
const maxShownFaults = 50;

export function outcomeLines({ verdict: said, faults, forgiven, changes, held, state }: Outcome): string[] {
  const line = ({ file, row, field, message }: Fault) =>
    [file, row > 0 && `第${row}行`, field, message].filter(Boolean).join(' ');
  const some = (what: string, all: readonly Fault[]) => [
    ...all.slice(0, maxShownFaults).map((fault) => `${what}: ${line(fault)}`),
    ...(all.length > maxShownFaults ? [`${what}: ${all.length - maxShownFaults} more`] : []),
  ];
  const counted = Object.entries(changes).map(
    ([kind, counts]) =>
      `${kind}: ${Object.entries(counts ?? {})
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
  );
  return [
    ...some('refused', faults),
    ...some('forgiven', forgiven),
    ...counted,
    ...held.map(({ kind, reason, number, sentence }) => `held: ${sentence} (--confirm ${kind}.${reason}=${number})`),
    [said, state].filter(Boolean).join(', '),
  ];
}

export const runImports = (args: string[]): Promise<number> =>
  runCommandLine(readSchoolCommand(args), usage, (command) =>
    runOnDatabase(async (database) => {
      const outcome = await runSchoolCommand(command, database, wallClock());
      console.log(command.json ? JSON.stringify(outcome) : outcomeLines(outcome).join('\n'));
      return outcome.verdict === 'err' ? 1 : 0;
    }),
  );
