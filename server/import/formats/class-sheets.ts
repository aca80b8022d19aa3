/** Sheets of our own workbook for classes, group classes and groups. */
import type { Value } from '../source-record.ts';
import { readDay } from './values.ts';
import {
  assistantsColumn,
  categoryColumn,
  column,
  courseColumn,
  coursesColumn,
  dayType,
  gradeColumn,
  headTeachersColumn,
  idColumn,
  lecturerColumn,
  longTextType,
  nameColumn,
  nameOrIdHint,
  referencesTo,
  referenceTo,
  roomColumn,
  schoolColumn,
  subjectColumn,
  teachingModeColumn,
  textType,
  wordColumn,
} from './workbook-columns.ts';
import type { SheetFormat, SheetRecord } from './workbook-types.ts';
import { clearWord, lessonClassWords, longTermWord, signWords } from './workbook-words.ts';

export const classSheet: SheetFormat = {
  name: '班级',
  also: ['班级列表', '行政班'],
  kinds: ['class', 'class_course', 'class_staff'],
  columns: [
    idColumn,
    nameColumn('班级名称', 'name', 100, { also: ['班级', '名称'], example: '高一（1）班' }),
    schoolColumn,
    gradeColumn,
    categoryColumn,
    column('大班', 'large_class_name', textType, { hint: '共用课表的大班；没有可以不填', example: '' }),
    column('学期', 'term_ids', referencesTo('term'), {
      hint: `${nameOrIdHint}，多个用顿号分开；没有可以不填`,
      example: '',
    }),
    column(
      '有效期至',
      '',
      { is: 'text', orDay: true },
      {
        also: ['有效期', '结束日期'],
        hint: '最后一天，如 2027-07-15；长期有效写“长期”',
        example: '2027-07-15',
        read: readValidity,
        write: ({ fields: { valid_type, valid_day } }) =>
          valid_type === undefined ? '' : valid_type === 1 ? longTermWord : String(valid_day ?? ''),
      },
    ),
    headTeachersColumn,
    assistantsColumn,
    coursesColumn,
  ],
};

export const groupClassSheet: SheetFormat = {
  name: '团课',
  also: ['团课班级', '一对一', '团课与一对一'],
  kinds: ['group_class', 'class_course', 'class_staff'],
  columns: [
    idColumn,
    nameColumn('团课名称', 'name', 100, { also: ['名称', '班级', '班级名称', '团课'], example: '数学提高班' }),
    wordColumn('类型', 'class_type', lessonClassWords, { also: ['班级类型'], required: true, example: '团课班级' }),
    schoolColumn,
    gradeColumn,
    categoryColumn,
    subjectColumn,
    lecturerColumn,
    roomColumn,
    teachingModeColumn,
    wordColumn('计费方式', 'sign_type', signWords, { example: '按课时' }),
    column('上课时间', 'schedule', textType, { hint: '文字说明，如 每周六上午', example: '每周六上午' }),
    column('开课日期', 'start_day', dayType, { required: true, hint: '如 2026-09-05', example: '2026-09-05' }),
    column('备注', 'remarks', longTextType, { hint: '最多500个字', example: '' }),
    headTeachersColumn,
    assistantsColumn,
    coursesColumn,
  ],
};

export const groupSheet: SheetFormat = {
  name: '分组',
  also: ['班级分组', '小组'],
  kinds: ['group', 'group_member'],
  columns: [
    idColumn,
    column('班级', 'class_id', referenceTo('class'), {
      also: ['班级名称'],
      required: true,
      hint: nameOrIdHint,
      example: '高一（1）班',
    }),
    courseColumn,
    nameColumn('分组名称', 'group_name', 50, { also: ['分组', '小组', '组名'], example: '第一组' }),
    { ...assistantsColumn, field: 'staff_ids' },
    column('学员', '', referencesTo('student'), {
      also: ['姓名', '学生'],
      hint: '姓名、学号或编号，多人用顿号分开，也可以每人一行',
      example: '张三',
    }),
  ],
};

function readValidity(text: string, { place, remarks }: SheetRecord): Record<string, Value> {
  if (text === longTermWord || text === clearWord) return { valid_type: 1, valid_day: null };
  const parsed = readDay(text);
  if ('fault' in parsed) {
    remarks.reject(place, '有效期至', parsed.fault);
    return {};
  }
  if (parsed.note !== undefined) remarks.forgive(place, '有效期至', parsed.note);
  return { valid_type: 2, valid_day: parsed.value };
}
