/**
 * Reads a OneRoster package (CSV, bulk or delta): forgiving, with messages, or strictly by the standard. Conversion to
 * records is in oneroster-records.ts.
 */

import { Readable } from 'node:stream';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { type CsvRow, csvRows } from '#server/platform/text/csv.ts';
import { type ByteOpener, readText } from '#server/platform/text/encoding.ts';
import { LimitExceeded } from '#server/platform/text/table-limits.ts';
import type { Remarks } from './diagnostics.ts';
import { nearestWord, normaliseWord } from './nearest-word.ts';
import { checkPrimaryOrgs, checkPrimaryRoles, checkReferences, checkSchools } from './oneroster-checks.ts';
import { type FileName, fileNames, manifestFiles } from './oneroster-format.ts';
import type { RosterPackage, TableMode } from './oneroster-package.ts';
import { givesRecords, readTable } from './oneroster-table.ts';

/** True for files that macOS and Windows add to archives. */
const isSystemFile = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name);

const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Name of the archive entry for each file of the standard, and for the `manifest`. */
export type RosterFiles = Map<FileName | 'manifest', string>;

const standardNames = [...fileNames, 'manifest'] as const;

/** Finds the files of the package; undefined if it has no manifest. */
export function rosterFiles(zip: OpenedZip, remarks: Remarks): { files: RosterFiles; isRefused: boolean } | undefined {
  const names = zip.names.filter((name) => !isSystemFile(name));
  const manifest =
    names.find((name) => name === 'manifest.csv') ??
    names.find((name) => baseName(name).toLowerCase() === 'manifest.csv');
  if (manifest === undefined) return undefined;
  const folder = manifest.slice(0, manifest.length - baseName(manifest).length);
  let isRefused = false;
  const forgive = (file: string, message: string) => {
    if (!remarks.forgive({ file, row: 0 }, '', message)) isRefused = true;
  };
  if (folder !== '') forgive(baseName(manifest), `文件在压缩包的文件夹“${folder}”中，应直接放在压缩包内`);
  const files: RosterFiles = new Map();
  for (const name of names) {
    const base = baseName(name);
    const word = base.replace(/\.csv$/i, '');
    const known =
      standardNames.find((one) => one === word) ??
      standardNames.find((one) => normaliseWord(one) === normaliseWord(word));
    if (
      !name.startsWith(folder) ||
      name.slice(folder.length).includes('/') ||
      known === undefined ||
      !/\.csv$/i.test(base)
    ) {
      const like = nearestWord(word, standardNames);
      const hint = like === undefined ? '' : `，是否应为 ${like}.csv`;
      forgive(base, `“${base}”不是 OneRoster 的文件${hint}，没有读取`);
      continue;
    }
    if (base !== `${known}.csv`) forgive(base, `文件名应为 ${known}.csv，已照常读取`);
    files.set(known, name);
  }
  return { files, isRefused };
}

export async function readRosterPackage(
  zip: OpenedZip,
  { files, isRefused }: { files: RosterFiles; isRefused: boolean },
  remarks: Remarks,
  strict: boolean,
): Promise<RosterPackage> {
  const roster: RosterPackage = { tables: new Map(), isRefused, hasOlderUsers: false };
  const manifest = await readManifest(zip, files, remarks, strict);
  if (!manifest) return { ...roster, isRefused: true };
  if (manifest.isRefused) roster.isRefused = true;
  for (const file of fileNames) {
    const name = files.get(file);
    const fileMode = manifest.modes.get(file);
    const shown = name === undefined ? `${file}.csv` : baseName(name);
    if (name === undefined) {
      if (fileMode === 'bulk' || fileMode === 'delta') {
        remarks.reject(
          { file: shown, row: 0 },
          '',
          `manifest.csv 说有 ${file}.csv（${fileMode}），压缩包里没有这个文件`,
        );
        roster.isRefused = true;
      }
      continue;
    }
    if (fileMode === undefined || fileMode === 'absent') {
      const message = `manifest.csv 没有列出 ${file}.csv，已按变更（delta）读取`;
      if (!manifest.isRefused && !remarks.forgive({ file: shown, row: 0 }, '', message)) roster.isRefused = true;
    }
    if (roster.isRefused && fileMode !== 'bulk' && fileMode !== 'delta') continue;
    const mode = fileMode === 'bulk' ? 'bulk' : 'delta';
    const table = await readTable({ file, shown, mode, open: openEntry(zip, name), remarks, strict });
    if (table.isRefused && (strict || givesRecords(file))) roster.isRefused = true;
    roster.tables.set(file, table);
  }
  const users = roster.tables.get('users');
  roster.hasOlderUsers = users?.names.includes('role') === true && !roster.tables.has('roles');
  // A nightly package without any change is valid: its manifest lists all files as absent.
  if (roster.tables.size === 0 && manifest.modes.size === 0 && !roster.isRefused) {
    remarks.reject({ file: manifest.shown, row: 0 }, '', '压缩包里没有任何数据文件');
    roster.isRefused = true;
  }
  await checkReferences(roster, remarks);
  await checkSchools(roster, remarks);
  await checkPrimaryRoles(roster, remarks);
  await checkPrimaryOrgs(roster, remarks);
  return roster;
}

/** True if earlier uploads are needed to read the package: a delta, or one with people but without their roles. */
export function isPartial({ tables }: RosterPackage): boolean {
  if ([...tables.values()].some(({ mode }) => mode === 'delta')) return true;
  const [users, roles] = [tables.get('users'), tables.get('roles')];
  if (!users || !roles) return true;
  const parsed = new Set<string>();
  const user = roles.names.indexOf('userSourcedId');
  for (const row of roles.rows) parsed.add(row.cell(user));
  return [...users.ids.keys()].some((id) => !parsed.has(id));
}

// ---- the manifest -----------------------------------------------------------------------------------

const openEntry =
  (zip: OpenedZip, name: string): ByteOpener =>
  async () =>
    (await zip.stream(name)) ?? Readable.from([]);

type FileMode = TableMode | 'absent';

interface Manifest {
  shown: string;
  modes: Map<FileName, FileMode>;
  isRefused: boolean;
}

async function readManifest(
  zip: OpenedZip,
  files: RosterFiles,
  remarks: Remarks,
  strict: boolean,
): Promise<Manifest | undefined> {
  const name = files.get('manifest') ?? 'manifest.csv';
  const shown = baseName(name);
  const text = await readText(openEntry(zip, name));
  if (!text) {
    remarks.reject({ file: shown, row: 1 }, '', '文件不是文本，无法读取');
    return undefined;
  }
  const manifest: Manifest = { shown, modes: new Map(), isRefused: false };
  const forgive = (row: number, field: string, message: string) => {
    if (!remarks.forgive({ file: shown, row }, field, message)) manifest.isRefused = true;
  };
  const reject = (row: number, field: string, message: string) => {
    remarks.reject({ file: shown, row }, field, message);
    manifest.isRefused = true;
  };
  const values = new Map<string, { value: string; row: number }>();
  const rows: CsvRow[] = [];
  try {
    for await (const ended of csvRows(text.pieces())) rows.push(...ended);
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    remarks.reject({ file: shown, row: error.row }, '', error.message);
    return undefined;
  }
  for (const { row, cells } of rows) {
    const [property = '', value = ''] = cells.map((cell) => cell.trim());
    if (row === 1) {
      if (property === 'propertyName' && value === 'value') continue;
      forgive(row, 'propertyName', '第一行应为 propertyName,value');
      if (!/\./.test(property)) continue;
    }
    const earlier = values.get(property);
    if (earlier && property !== '') {
      const message = `“${property}”在第${earlier.row}行已写过`;
      if (earlier.value === value) forgive(row, property, message);
      else reject(row, property, `${message}“${earlier.value}”，这里是“${value}”`);
    }
    values.set(property, { value, row });
  }
  const { value: version, row: versionRow } = values.get('oneroster.version') ?? { value: '', row: 0 };
  if (version !== '1.2')
    forgive(versionRow, 'oneroster.version', `oneroster.version 应为 1.2，这里是“${version}”，已按 1.2 读取`);
  const { value: form, row: formRow } = values.get('manifest.version') ?? { value: '', row: 0 };
  if (form !== '1.0') forgive(formRow, 'manifest.version', `manifest.version 应为 1.0，这里是“${form}”`);
  for (const [property, { value, row }] of values) {
    const file = /^file\.(.+)$/.exec(property)?.[1];
    if (file === undefined) continue;
    const known =
      fileNames.find((one) => one === file) ?? fileNames.find((one) => normaliseWord(one) === normaliseWord(file));
    if (known !== file) {
      const like = known ?? nearestWord(file, fileNames);
      const hint = like === undefined ? '' : `，是否应为 file.${like}`;
      forgive(row, property, `“${property}”不是 OneRoster 的文件${hint}`);
    }
    if (known === undefined) continue;
    const mode = readMode(value);
    if (mode === undefined) reject(row, property, `“${value}”应为 absent、bulk 或 delta`);
    else if (mode !== value) {
      forgive(row, property, value === '' ? `${property} 没有填写，已按 absent 读取` : `“${value}”已按 ${mode} 读取`);
    }
    manifest.modes.set(known, mode ?? 'absent');
  }
  const unsaid = manifestFiles.filter((file) => !manifest.modes.has(file));
  if (strict) for (const file of unsaid) reject(0, `file.${file}`, `manifest.csv 缺少 file.${file}`);
  else if (manifest.modes.size > 0) {
    const left = unsaid.filter((file) => !files.has(file)).map((file) => `file.${file}`);
    if (left.length > 0)
      remarks.forgive({ file: shown, row: 0 }, '', `manifest.csv 没有列出 ${left.join('、')}，已按 absent 读取`);
  }
  return manifest;
}

function readMode(value: string): FileMode | undefined {
  const word = value.toLowerCase();
  if (word === '') return 'absent';
  return word === 'bulk' || word === 'delta' || word === 'absent' ? word : undefined;
}

// ---- a data file ------------------------------------------------------------------------------------

// ---- across files -----------------------------------------------------------------------------------
