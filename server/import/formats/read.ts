/** Detects the format of an uploaded file by its content, then reads it. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { extensionOf, formatBytes } from '#server/platform/files/rules.ts';
import { type OpenedZip, openZip, type ZipLimits, zipRefusals } from '#server/platform/files/zip.ts';
import { DamagedFile } from '#server/platform/office/xml.ts';
import { normalizeNameLoosely } from '#server/platform/text/name-matching.ts';
import type { ParsedUpload, RecordKind, SourceRecord } from '../source-record.ts';
import { newRemarks, type Remarks } from './diagnostics.ts';
import { isPartial, readRosterPackage, rosterFiles } from './oneroster.ts';
import { rosterKinds, rosterRecords } from './oneroster-records.ts';
import { defaultTimeZone, type Holidays, type ReadOptions } from './options.ts';
import { readCsvList, readLists } from './people.ts';
import { hasListHeads, type PeopleTable, titlesOf } from './people-mapping.ts';
import { hasReasonColumn, isListOfPeople, readSheets } from './workbook.ts';
import { readSheetTables, type SheetTable } from './workbook-file.ts';
import { workbookKinds, workbookRecords } from './workbook-records.ts';
import { forEachYielding } from './yielding.ts';

export interface UploadedFile {
  /** Name of the file as uploaded. */
  name: string;
  path: string;
}

/** Maximum bytes of an uploaded file, and limits of its content if it is an archive. */
const fileBytes = 64 * 2 ** 20;
export const archiveLimits: ZipLimits = {
  entries: 500,
  xmlBytes: 192 * 2 ** 20,
  totalBytes: 192 * 2 ** 20,
  ratio: 200,
  ratioFrom: 8 * 2 ** 20,
};
export const formatMessages = {
  empty: '文件是空的',
  tooLarge: `文件超过 ${formatBytes(fileBytes)}，已拒绝；请分成几个文件，或删去图片后再上传`,
  bomb: `文件解压后超过 ${formatBytes(archiveLimits.totalBytes)} 或压缩得不合常理，已拒绝`,
  damaged: '文件已损坏，可能没有传完，请重新上传',
  oldExcel: '这是旧版 Excel 文件（.xls），请在 Excel 或 WPS 中“另存为”，选择“Excel 工作簿（.xlsx）”后再上传',
  binaryExcel: '这是二进制 Excel 工作簿（.xlsb），请另存为“Excel 工作簿（.xlsx）”后再上传',
  password: '文件设有密码，请取消密码后再上传',
  webPage: '这是网页，不是 Excel 文件（有的系统导出的 .xls 其实是网页）；请用 Excel 打开后另存为 .xlsx',
  unknown: '无法识别的文件，请上传 .xlsx、.csv，或 OneRoster 的 .zip',
  noManifest: '压缩包里没有 manifest.csv，无法知道是完整名单（bulk）还是变更（delta）',
  notRoster: '压缩包不是 OneRoster 数据包（没有 manifest.csv）；Excel 和 CSV 文件请直接上传，不要压缩',
  packedTwice: (name: string) => `压缩包里还是一个压缩包（“${name}”），请解压后上传里面的那一个`,
  noSheet: '没有找到可以导入的工作表，请使用下载的模板',
  noRows: '文件里没有可以导入的数据',
} as const;

export async function readUploadedFile(file: UploadedFile, options: ReadOptions = {}): Promise<ParsedUpload> {
  const remarks = newRemarks(options.strict === true);
  const whole = (message: string, place = file.name): ParsedUpload => {
    remarks.reject({ file: place, row: 0 }, '', message);
    return readingOf({ mode: 'delta', kinds: [], remarks });
  };
  const { size } = await stat(file.path);
  if (size === 0) return whole(formatMessages.empty);
  if (size > fileBytes) return whole(formatMessages.tooLarge);
  const head = await headOf(file.path);
  if (head.readUInt32BE(0) === 0xd0cf11e0) {
    const office = await openZip(file.path, 'xlsx', archiveLimits);
    const isLocked = 'refused' in office && office.message === zipRefusals.passwordOffice.message;
    return whole(isLocked ? formatMessages.password : formatMessages.oldExcel);
  }
  if (head.readUInt16BE(0) === 0x504b) return await readZip(file, options, { remarks, whole });
  return await readPlain(file, options, { remarks, whole });
}

interface Outcome {
  remarks: Remarks;
  whole: (message: string, place?: string) => ParsedUpload;
}

async function readZip(file: UploadedFile, options: ReadOptions, { remarks, whole }: Outcome): Promise<ParsedUpload> {
  const office = await openZip(file.path, 'xlsx', archiveLimits);
  const opened =
    'refused' in office && office.message === zipRefusals.mismatch.message
      ? await openZip(file.path, 'zip', archiveLimits)
      : office;
  if ('refused' in opened) return whole(refusalOf(opened.message));
  const zip = opened.ok;
  try {
    if (opened === office) return await readWorkbook(zip, file, options, { remarks, whole });
    const found = rosterFiles(zip, remarks);
    if (!found) {
      const isRoster = zip.names.some((name) =>
        /(?:^|\/)(?:users|orgs|classes|enrollments|academicSessions)\.csv$/i.test(name),
      );
      const packed = zip.names.find((name) => /\.(?:zip|rar|7z)$/i.test(name));
      if (!isRoster && packed !== undefined) return whole(formatMessages.packedTwice(packed));
      return isRoster ? whole(formatMessages.noManifest, 'manifest.csv') : whole(formatMessages.notRoster);
    }
    return await readRoster(zip, found, options, remarks);
  } catch (error) {
    if (error instanceof DamagedFile) return whole(formatMessages.damaged);
    throw error;
  } finally {
    await zip.close();
  }
}

function refusalOf(message: string): string {
  if (message === zipRefusals.tooLarge.message) return formatMessages.bomb;
  if (message === zipRefusals.damaged.message) return formatMessages.damaged;
  if (message === zipRefusals.binaryWorkbook.message) return formatMessages.binaryExcel;
  const isLocked = message === zipRefusals.passwordOffice.message || message === zipRefusals.passwordZip.message;
  return isLocked ? formatMessages.password : message;
}

async function readRoster(
  zip: OpenedZip,
  found: NonNullable<ReturnType<typeof rosterFiles>>,
  { strict = false, timeZone = defaultTimeZone, known }: ReadOptions,
  remarks: Remarks,
): Promise<ParsedUpload> {
  const roster = await readRosterPackage(zip, found, remarks, strict);
  if (roster.isRefused) return readingOf({ mode: 'delta', kinds: [], remarks });
  const isKnown = known && isPartial(roster) ? await known() : () => false;
  const intended = rosterRecords({ roster, remarks, timeZone, known: isKnown });
  // Strict mode checks a package against the standard alone, not whether its rows can become records.
  return collectDiagnostics({ ...rosterKinds(roster), remarks, intended, isJudged: !strict });
}

async function readWorkbook(
  zip: OpenedZip,
  file: UploadedFile,
  options: ReadOptions,
  { remarks, whole }: Outcome,
): Promise<ParsedUpload> {
  if (extensionOf(file.name) === 'xls') {
    remarks.forgive({ file: file.name, row: 0 }, '', '文件扩展名是 .xls，内容是 .xlsx，已照常读取');
  }
  const tables = await readSheetTables(zip);
  const matched = isListOfPeople(tables) ? undefined : readSheets(tables, remarks);
  if (!matched) {
    const shown = tables.filter(({ isHidden, rowCount }) => !isHidden && rowCount > 0);
    if (shown.length === 0) return whole(formatMessages.noRows);
    return await readPeople(findLists(shown, remarks), options, { remarks, whole });
  }
  const { sheets, isRefused } = matched;
  if (isRefused) return readingOf({ mode: 'delta', kinds: [], remarks });
  if (sheets.every(({ rows }) => rows.length === 0) && remarks.refused.length === 0)
    return whole(formatMessages.noRows);
  // A workbook with a reason column contains only corrected rows, not the whole list.
  const mode = options.mode ?? (hasReasonColumn(tables) ? 'delta' : 'bulk');
  return sheetsReading(sheets, mode, { options, remarks });
}

/** Finds the lists of a workbook: one, or one per class. Sheets without known headings are skipped as notes. */
function findLists(tables: readonly SheetTable[], remarks: Remarks): PeopleTable[] {
  if (tables.length === 1) return [...tables];
  const lists = tables.filter(hasListHeads);
  for (const { name } of tables.filter((table) => !lists.includes(table)))
    remarks.forgive({ file: name, row: 1 }, '', `工作表“${name}”没有名单的标题行，没有读取`);
  return lists;
}

/**
 * `isList`: the sheets were made of a list of people. It names the classes of its people, but even a complete list is no
 * list of all classes.
 */
async function sheetsReading(
  sheets: Parameters<typeof workbookKinds>[0],
  mode: 'bulk' | 'delta',
  { options, remarks, isList = false }: { options: ReadOptions; remarks: Remarks; isList?: boolean },
): Promise<ParsedUpload> {
  const { timeZone = defaultTimeZone } = options;
  const hasRules = sheets.some(({ format, rows }) => format.name === '课表' && rows.length > 0);
  const holidays = hasRules && options.holidays ? await options.holidays() : noHolidays;
  const intended = workbookRecords({ sheets, remarks, timeZone, isWhole: mode === 'bulk' && !isList, holidays });
  return collectDiagnostics({ mode, kinds: workbookKinds(sheets), remarks, intended, isJudged: true });
}

const noHolidays: Holidays = { closed: [], worked: new Map() };

async function readPlain(file: UploadedFile, options: ReadOptions, { remarks, whole }: Outcome): Promise<ParsedUpload> {
  const fault = await plainFault(file);
  if (fault !== undefined) return whole(fault);
  const list = await readCsvList(async () => createReadStream(file.path), file.name, remarks);
  return list ? await readPeople([list], options, { remarks, whole }) : whole(formatMessages.unknown);
}

async function plainFault({ name, path }: UploadedFile): Promise<string | undefined> {
  const start = (await headOf(path)).toString('latin1').trimStart().toLowerCase();
  if (/^(?:ï»¿)?(?:<!doctype html|<html|<table|<\?xml|<meta|mime-version)/.test(start)) return formatMessages.webPage;
  if (['xlsx', 'zip'].includes(extensionOf(name))) return formatMessages.damaged;
  return undefined;
}

async function readPeople(
  lists: readonly PeopleTable[],
  options: ReadOptions,
  { remarks, whole }: Outcome,
): Promise<ParsedUpload> {
  if (remarks.refused.some(({ row }) => row === 0)) return readingOf({ mode: 'delta', kinds: [], remarks });
  if (lists.length === 0) return whole(formatMessages.noSheet);
  if (lists.every(({ rowCount }) => rowCount === 0)) return whole(formatMessages.noRows);
  await doubtOtherSchools(lists, remarks, options);
  const { newClasses: addsAll = false, meantClasses = {} } = options.mapping ?? options.remembered ?? {};
  const chosen = new Set(Object.keys(meantClasses).filter((name) => meantClasses[name] === name));
  const knownNames =
    (addsAll || chosen.size > 0) && options.classes
      ? {
          classes: await options.classes(),
          grades: (await options.grades?.()) ?? { names: [], mayAdd: () => false },
          addsAll,
          chosen,
        }
      : undefined;
  const {
    sheets,
    list: shown,
    isRefused,
  } = readLists(lists, remarks, {
    ...options,
    ...(knownNames && { knownNames }),
  });
  if (isRefused) return { ...readingOf({ mode: 'delta', kinds: [], remarks }), list: shown };
  if (sheets.every(({ rows }) => rows.length === 0) && remarks.refused.length === 0)
    return whole(formatMessages.noRows);
  const reading = await sheetsReading(sheets, options.mode ?? 'delta', { options, remarks, isList: true });
  return { ...reading, kinds: reading.kinds.filter((kind) => kind !== 'class' && kind !== 'grade'), list: shown };
}

const schoolName = /\p{Script=Han}{2,20}?(?:中学|小学|学校|网校|学院|附中|[一二三四五六七八九十]中)/u;

/** Raises a doubt if the title of a list names a school that is none of ours. */
async function doubtOtherSchools(
  lists: readonly PeopleTable[],
  remarks: Remarks,
  { schools }: ReadOptions,
): Promise<void> {
  const named = lists.flatMap((list) =>
    titlesOf(list).flatMap(({ row, text }) => {
      const name = schoolName.exec(text)?.[0].replace(/^.*(?:学年|学期|年度|年|级|届)/, '');
      return name ? [{ place: { file: list.name, row }, name }] : [];
    }),
  );
  if (named.length === 0 || !schools) return;
  const own = await schools();
  const isOwn = (name: string) => own.some((one) => containsName(one, name) || containsName(name, one));
  for (const { place, name } of named.filter((one) => !isOwn(one.name)))
    remarks.doubt(place, '', `标题写的是“${name}”，不是本系统的学校，请确认没有选错文件`);
}

const containsName = (text: string, part: string): boolean =>
  normalizeNameLoosely(text).includes(normalizeNameLoosely(part));

/** Number of bytes needed to detect the format. */
const headBytes = 512;

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    await handle.read(head, 0, headBytes, 0);
    return head;
  } finally {
    await handle.close();
  }
}

interface ReadingTask {
  mode: 'bulk' | 'delta';
  kinds: RecordKind[];
  remarks: Remarks;
}

interface JudgedTask extends ReadingTask {
  intended: (remarks: Remarks) => Generator<SourceRecord>;
  /** True: also refuses rows that cannot become a record. */
  isJudged: boolean;
}

/** Result of reading a file that yields no records. */
const readingOf = ({ mode, kinds, remarks }: ReadingTask): ParsedUpload => ({
  mode,
  kinds,
  intended: [],
  refused: remarks.refused,
  forgiven: remarks.forgiven(),
  doubted: remarks.doubted(),
});

/** Runs the generator once to collect its messages; when it runs again later, it reports nothing. */
async function collectDiagnostics({ mode, kinds, remarks, intended, isJudged }: JudgedTask): Promise<ParsedUpload> {
  const isLeftOut = new Set<string>();
  const silent: Remarks = {
    ...remarks,
    reject: ({ file, row }) => void isLeftOut.add(`${file} ${row}`),
    forgive: () => true,
    doubt: () => {},
    isRefused: (place) => remarks.isRefused(place) || isLeftOut.has(`${place.file} ${place.row}`),
  };
  await forEachYielding(intended(isJudged ? remarks : silent), () => undefined);
  return { ...readingOf({ mode, kinds, remarks }), intended: { [Symbol.iterator]: () => intended(silent) } };
}
