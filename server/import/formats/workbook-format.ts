/** The sheets of our own workbook in order, and the choices that their columns offer. */
import type { RecordKind } from '../source-record.ts';
import { classSheet, groupClassSheet, groupSheet } from './class-sheets.ts';
import { courseSheet, periodSheet } from './course-sheets.ts';
import { examSheet } from './exam-sheets.ts';
import { lessonSheet, timetableSheet } from './lesson-sheets.ts';
import { membershipSheet, staffSheet, studentSheet } from './people-sheets.ts';
import { categorySheet, roomSheet, schoolSheet } from './school-sheets.ts';
import type { SheetColumn, SheetFormat, SheetName } from './workbook-types.ts';

/** All sheets, in the order of the file. */
export const sheetFormats: readonly SheetFormat[] = [
  schoolSheet,
  categorySheet,
  courseSheet,
  periodSheet,
  classSheet,
  staffSheet,
  studentSheet,
  membershipSheet,
  roomSheet,
  groupClassSheet,
  lessonSheet,
  timetableSheet,
  groupSheet,
  examSheet,
];

/** The column whose text other sheets use to refer to a record of this kind. */
const nameColumns: Partial<Record<RecordKind, { sheet: SheetName; head: string }>> = {
  school: { sheet: '学校', head: '学校名称' },
  room: { sheet: '教室', head: '教室名称' },
  staff: { sheet: '人员', head: '姓名' },
  student: { sheet: '学员', head: '姓名' },
  course: { sheet: '课程', head: '课程名称' },
  period: { sheet: '课时', head: '课时名称' },
  class: { sheet: '班级', head: '班级名称' },
  group_class: { sheet: '团课', head: '团课名称' },
};

/** Returns the choices of a column's dropdown: words, or the column of another sheet. */
export function choicesOf({ type }: SheetColumn): readonly string[] | { sheet: string; column: number } {
  if (type.is === 'word') return Object.keys(type.words);
  const named = type.is === 'one' ? nameColumns[type.of[0] ?? 'term'] : undefined;
  const format = sheetFormats.find(({ name }) => name === named?.sheet);
  const place = format?.columns.findIndex(({ head }) => head === named?.head) ?? -1;
  return named && place >= 0 ? { sheet: named.sheet, column: place + 1 } : [];
}
