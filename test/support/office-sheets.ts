/** Sheets as school offices have them, written by the product's own writer of workbooks. */
import { buffer } from 'node:stream/consumers';
import { writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';

export type Grid = readonly (readonly string[])[];

/** Returns a workbook. The first row of each sheet may be a title; a sheet without rows is empty. */
export const officeFile = (sheets: Readonly<Record<string, Grid>>): Promise<Uint8Array> =>
  buffer(
    writeSpreadsheet({
      sheets: Object.entries(sheets).map(([name, [first = [], ...rows]]) => {
        const width = Math.max(first.length, ...rows.map((row) => row.length));
        const columns = Array.from({ length: width }, (_, at) => ({ header: first[at] ?? '', type: 'text' as const }));
        return { name, columns, rows };
      }),
    }),
  );

export const studentHeads = ['序号', '姓  名', '性别', '学籍号', '联系电话', '家长电话'] as const;

/** Returns a class as offices list it: a title, the head teacher, numbered students, a total. */
export const classSheet = (title: string, students: Grid): Grid => [
  [title],
  ['班主任：王老师'],
  studentHeads,
  ...students.map((cells, at) => [String(at + 1), ...cells]),
  ['合计', `${students.length}人`],
  ['注：如有变动请联系教务处'],
];

/** Returns a list of teachers with job titles, without user names. */
export const teacherSheet = (title: string): Grid => [
  [title],
  ['姓名', '职务', '手机号'],
  ['王丽', '语文教师', '13900000001'],
  ['李强', '班主任', '13900000002'],
  ['赵敏', '教研员', '13900000003'],
  ['曾荣', '校长', '139 0000 0004'],
  ['周兰', '', '13900000005'],
];
