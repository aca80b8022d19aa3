/** Builds upload files with made-up data: OneRoster packages, workbooks and lists. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll } from 'vitest';
import { columnsOf, type FileName, manifestFiles } from '#server/import/formats/oneroster-format.ts';
import type { ReadOptions } from '#server/import/formats/options.ts';
import { readUploadedFile } from '#server/import/formats/read.ts';
import type { ParsedUpload, SourceRecord } from '#server/import/source-record.ts';
import { columnLetters } from '#server/platform/office/cell-address.ts';

export type Row = Readonly<Record<string, string>>;
export type Roster = Partial<Record<FileName, Row[]>>;

/** Returns a small school with two classes and a head teacher for each. */
export const smallRoster = (): Roster => ({
  academicSessions: [
    {
      sourcedId: 'yr-1',
      title: '2026学年',
      type: 'schoolYear',
      startDate: '2026-09-01',
      endDate: '2027-07-15',
      schoolYear: '2027',
    },
    {
      sourcedId: 'tm-1',
      title: '上学期',
      type: 'term',
      startDate: '2026-09-01',
      endDate: '2027-01-20',
      parentSourcedId: 'yr-1',
      schoolYear: '2027',
    },
  ],
  orgs: [
    { sourcedId: 'o-1', name: '春风网校', type: 'school', identifier: 'CF' },
    { sourcedId: 'o-2', name: '数学组', type: 'department', parentSourcedId: 'o-1' },
  ],
  users: [
    {
      sourcedId: 't-1',
      enabledUser: 'true',
      username: 'chen.laoshi',
      givenName: '一诺',
      familyName: '陈',
      sms: '13900000001',
    },
    { sourcedId: 'a-1', enabledUser: 'true', username: 'lin.zhujiao', givenName: '小雨', familyName: '林' },
    {
      sourcedId: 's-1',
      enabledUser: 'true',
      username: 's1',
      givenName: '子轩',
      familyName: '赵',
      identifier: '2026001',
    },
    {
      sourcedId: 's-2',
      enabledUser: 'true',
      username: 's2',
      givenName: '思远',
      familyName: '司马',
      identifier: '2026002',
    },
    { sourcedId: 's-3', enabledUser: 'true', username: 's3', givenName: 'Anna', familyName: 'Smith' },
  ],
  roles: [
    { sourcedId: 'r-1', userSourcedId: 't-1', roleType: 'primary', role: 'teacher', orgSourcedId: 'o-2' },
    { sourcedId: 'r-2', userSourcedId: 'a-1', roleType: 'primary', role: 'aide', orgSourcedId: 'o-1' },
    { sourcedId: 'r-3', userSourcedId: 's-1', roleType: 'primary', role: 'student', orgSourcedId: 'o-1' },
    { sourcedId: 'r-4', userSourcedId: 's-2', roleType: 'primary', role: 'student', orgSourcedId: 'o-1' },
    { sourcedId: 'r-5', userSourcedId: 's-3', roleType: 'primary', role: 'student', orgSourcedId: 'o-1' },
  ],
  courses: [
    { sourcedId: 'c-1', title: '高一数学', courseCode: 'M1', grades: '10', orgSourcedId: 'o-1', subjects: '数学' },
    { sourcedId: 'c-2', title: '高一班会', courseCode: 'HOMEROOM', orgSourcedId: 'o-1' },
  ],
  classes: [
    {
      sourcedId: 'k-1',
      title: '高一（1）班',
      grades: '10',
      courseSourcedId: 'c-2',
      classType: 'homeroom',
      schoolSourcedId: 'o-1',
      termSourcedIds: 'tm-1',
    },
    {
      sourcedId: 'k-2',
      title: '高一（1）班数学',
      grades: '10',
      courseSourcedId: 'c-1',
      classType: 'scheduled',
      schoolSourcedId: 'o-1',
      termSourcedIds: 'tm-1',
    },
    {
      sourcedId: 'k-3',
      title: '数学竞赛',
      courseSourcedId: 'c-1',
      classType: 'scheduled',
      schoolSourcedId: 'o-1',
      termSourcedIds: 'tm-1,yr-1',
    },
  ],
  enrollments: [
    {
      sourcedId: 'e-1',
      classSourcedId: 'k-1',
      schoolSourcedId: 'o-1',
      userSourcedId: 't-1',
      role: 'teacher',
      primary: 'true',
    },
    {
      sourcedId: 'e-2',
      classSourcedId: 'k-1',
      schoolSourcedId: 'o-1',
      userSourcedId: 'a-1',
      role: 'teacher',
      primary: 'false',
    },
    {
      sourcedId: 'e-3',
      classSourcedId: 'k-1',
      schoolSourcedId: 'o-1',
      userSourcedId: 's-1',
      role: 'student',
      beginDate: '2026-09-01',
      endDate: '2026-11-01',
    },
    { sourcedId: 'e-4', classSourcedId: 'k-1', schoolSourcedId: 'o-1', userSourcedId: 's-2', role: 'student' },
    { sourcedId: 'e-5', classSourcedId: 'k-2', schoolSourcedId: 'o-1', userSourcedId: 's-1', role: 'student' },
    { sourcedId: 'e-6', classSourcedId: 'k-2', schoolSourcedId: 'o-1', userSourcedId: 's-2', role: 'student' },
    { sourcedId: 'e-7', classSourcedId: 'k-3', schoolSourcedId: 'o-1', userSourcedId: 's-3', role: 'student' },
  ],
});

export const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
export const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

/** Encodes text in GB18030, which Chinese Excel uses. */
export const inGb18030 = (text: string): Uint8Array => {
  const known = new Map<string, number[]>();
  const decoder = new TextDecoder('gb18030');
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) known.set(decoder.decode(new Uint8Array([high, low])), [high, low]);
  }
  return new Uint8Array(
    [...text].flatMap((sign) => (sign < '\u0080' ? [sign.charCodeAt(0)] : (known.get(sign) ?? [63]))),
  );
};

/** Returns the CSV files of a OneRoster package by name. */
export function rosterTexts(roster: Roster, mode: 'bulk' | 'delta' = 'bulk'): Record<string, string> {
  const files = Object.entries(roster) as [FileName, Row[]][];
  const modes = manifestFiles.map((file) => [`file.${file}`, roster[file] ? mode : 'absent']);
  const added = mode === 'delta' ? { status: 'active', dateLastModified: '2026-11-20T08:00:00.000Z' } : {};
  return {
    'manifest.csv': csv([
      ['propertyName', 'value'],
      ['manifest.version', '1.0'],
      ['oneroster.version', '1.2'],
      ...modes,
    ]),
    ...Object.fromEntries(
      files.map(([file, rows]) => {
        const names = columnsOf(file).map(({ name }) => name);
        const of = (row: Row) => names.map((name) => row[name] ?? added[name as 'status'] ?? '');
        return [`${file}.csv`, csv([names, ...rows.map(of)])];
      }),
    ),
  };
}

export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? Buffer.from(content) : content,
      ]),
    ),
  );

/** Returns a function that writes files into a folder. The folder is deleted after the tests. */
export function uploads() {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name: string, bytes: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return { name, path };
  };
}

export function uploader() {
  const keep = uploads();
  return (name: string, bytes: string | Uint8Array, options?: ReadOptions): Promise<ParsedUpload> =>
    readUploadedFile(keep(name, bytes), options);
}

/** Formats a record in one line, with references as ids. */
export const line = ({ kind, sourceId, fields, state }: SourceRecord): string => {
  const said = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`);
  return `${kind} ${sourceId}${state === 'gone' ? ' gone' : ''}: ${said.join(' ')}`;
};
const fieldText = (value: SourceRecord['fields'][string]): string => {
  if (Array.isArray(value)) return `[${value.map(fieldText).join(' ')}]`;
  if (value !== null && typeof value === 'object') return `${value.kind}:${value.sourceId}${value.name ? '?' : ''}`;
  return String(value);
};
export const lines = (reading: ParsedUpload): string[] => [...reading.intended].map(line);
/** Formats each remark in one line. */
export const remarkLines = (
  remarks: readonly { file: string; row: number; field: string; message: string }[],
): string[] => remarks.map(({ file, row, field, message }) => `${file} ${row} ${field}: ${message}`);
export const places = (remarks: readonly { file: string; row: number; field: string }[]): string[] =>
  remarks.map(({ file, row, field }) => `${file} ${row} ${field}`.trim()).sort();

type Cell = string | number | { day: number } | { number: number; format: string };

/** Builds an .xlsx file of these sheets. `=formula|result` is a formula. `day` is a number formatted as a date. */
export function sheetFile(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  {
    merged = {},
    hidden = [],
    hiddenRows = [],
  }: { merged?: Record<string, string[]>; hidden?: string[]; hiddenRows?: number[] } = {},
): Uint8Array {
  const formats = [
    ...new Set(
      Object.values(sheets)
        .flat(2)
        .flatMap((cell) => (typeof cell === 'object' && 'format' in cell ? [cell.format] : [])),
    ),
  ];
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const listed = names.map(
    (name, index) =>
      `<sheet name="${xml(name)}" sheetId="${index + 1}" r:id="r${index}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
  );
  const relations = names.map(
    (_, index) => `<Relationship Id="r${index}" Type="${office}/worksheet" Target="worksheets/s${index}.xml"/>`,
  );
  const parts = names.map((name, index) => {
    const rows = (sheets[name] ?? []).map((cells, row) => {
      const written = cells.map((value, column) => cellXml(value, `${columnLetters(column + 1)}${row + 1}`, formats));
      const isHidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : '';
      return `<row r="${row + 1}"${isHidden}>${written.join('')}</row>`;
    });
    const ranges = (merged[name] ?? []).map((range) => `<mergeCell ref="${range}"/>`).join('');
    const joined = ranges === '' ? '' : `<mergeCells>${ranges}</mergeCells>`;
    return [
      `xl/worksheets/s${index}.xml`,
      `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData>${joined}</worksheet>`,
    ];
  });
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${relations.join('')}<Relationship Id="s" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${xml(code)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(parts),
  });
}

function cellXml(value: Cell, at: string, formats: readonly string[]): string {
  if (value === '') return '';
  if (typeof value === 'object' && 'format' in value) {
    return `<c r="${at}" s="${2 + formats.indexOf(value.format)}"><v>${value.number}</v></c>`;
  }
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
  if (typeof value === 'object') return `<c r="${at}" s="1"><v>${value.day}</v></c>`;
  if (!value.startsWith('=')) return `<c r="${at}" t="inlineStr"><is><t>${xml(value)}</t></is></c>`;
  const [formula = '', result = ''] = value.slice(1).split('|');
  const kind = result.startsWith('#') ? 'e' : 'str';
  return `<c r="${at}" t="${kind}"><f>${xml(formula)}</f>${result === '' ? '' : `<v>${xml(result)}</v>`}</c>`;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
