/** Columns that several sheets of our own workbook have, and functions that build further ones. */
import { dayOf } from '#server/school/calendar.ts';
import type { RecordKind, Value } from '../source-record.ts';
import type { ColumnType, SheetColumn } from './workbook-types.ts';
import { clearWord, modeWords } from './workbook-words.ts';

export const textType = { is: 'text' } as const;
export const dayType = { is: 'day' } as const;
export const timeType = { is: 'time' } as const;
export const codeType = { is: 'code' } as const;
export const mobileType = { is: 'mobile' } as const;
export const longTextType = { is: 'long' } as const;
export const referenceTo = (...of: RecordKind[]) => ({ is: 'one', of }) as const;
export const referencesTo = (...of: RecordKind[]) => ({ is: 'many', of }) as const;

type ColumnOptions = Omit<SheetColumn, 'head' | 'field' | 'type'>;

export const column = (head: string, field: string, type: ColumnType, options: ColumnOptions): SheetColumn => ({
  head,
  field,
  type,
  ...options,
});

/** Builds a required name column that identifies the record. `most`: maximum length. */
export const nameColumn = (
  head: string,
  field: string,
  most: number,
  options: Omit<ColumnOptions, 'hint' | 'required'>,
): SheetColumn => column(head, field, textType, { required: true, hint: `最多${most}个字`, ...options });

export const wordColumn = (
  head: string,
  field: string,
  words: Readonly<Record<string, string | number>>,
  options: Omit<ColumnOptions, 'hint'> & { hint?: string },
): SheetColumn => column(head, field, { is: 'word', words }, { hint: Object.keys(words).join('、'), ...options });

export const numberColumn = (
  head: string,
  field: string,
  range: { decimals?: number; least?: number; most: number },
  options: Omit<ColumnOptions, 'hint'> & { hint?: string },
): SheetColumn =>
  column(head, field, { is: 'number', ...range }, { hint: `${range.least ?? 0}到${range.most}`, ...options });

export const idColumn = column('编号', '', codeType, {
  also: ['ID', '代码', 'sourcedId'],
  hint: '本系统以外的编号，同一来源中不重复；再次导入时按它认出是哪一个。没有可以不填',
  example: '示例',
});

export const nameOrIdHint = '写名称或编号；名称有重复时写编号';

export const schoolColumn = column('学校', 'school_id', referenceTo('school'), {
  also: ['校区', '所属学校', '所属校区'],
  hint: `${nameOrIdHint}。只有一所学校时可以不填`,
  example: '第一网校',
});

export const gradeColumn = column('年级', 'grade_id', referenceTo('grade'), { hint: '如 高一', example: '高一' });

export const categoryColumn = column('分类', 'classify_id', referenceTo('category'), {
  hint: '有上级时可写成 上级/下级',
  example: '同步课',
});

export const subjectColumn = column('科目', 'subject_id', referenceTo('subject'), {
  also: ['学科'],
  hint: '如 数学',
  example: '数学',
});

export const headTeachersColumn = column('班主任', '', referencesTo('staff'), {
  hint: '讲师的姓名、用户名或编号，多人用顿号分开',
  example: '王老师',
});

export const assistantsColumn = column('助教', '', referencesTo('staff'), {
  hint: '助教的姓名、用户名或编号，多人用顿号分开',
  example: '李助教',
});

export const coursesColumn = column('课程', '', referencesTo('course'), {
  hint: '课程的名称或编号，多门用顿号分开',
  example: '高一数学',
});

/** Formats a time (unix seconds) as a day. */
export const dayCell = (value: Value | undefined, timeZone: string, before = 0): string => {
  if (value === null) return clearWord;
  return typeof value === 'number' ? dayOf(value - before, timeZone) : '';
};

export const lecturerColumn = column('讲师', 'lecturer_id', referenceTo('staff'), {
  also: ['老师', '主讲'],
  hint: '姓名、用户名或编号',
  example: '王老师',
});

export const roomColumn = column('教室', 'room_id', referenceTo('room'), { hint: nameOrIdHint, example: 'A101' });

export const teachingModeColumn = wordColumn('上课方式', 'teaching_mode', modeWords, { example: '线下' });

export const groupClassColumn = column('团课', 'class_id', referenceTo('group_class'), {
  also: ['班级', '团课名称', '班级名称'],
  hint: nameOrIdHint,
  example: '数学提高班',
});

export const courseColumn = column('课程', 'course_id', referenceTo('course'), {
  required: true,
  hint: nameOrIdHint,
  example: '高一数学',
});

export const startColumn = column('开始时间', 'start', timeType, {
  also: ['开始'],
  required: true,
  hint: '如 09:00',
  example: '09:00',
});

export const endColumn = column('结束时间', 'end', timeType, {
  also: ['结束'],
  required: true,
  hint: '如 10:30',
  example: '10:30',
});
