/** Sheet of our own workbook for exams, without their papers. An export leaves it empty. */
import { addDays } from '#server/courses/rules.ts';
import { examIntroduceLimit, examNameLimit, maxAttempts, maxLimitMinutes, maxPassScore } from '#server/exams/rules.ts';
import { momentOf, timeOf } from '#server/school/calendar.ts';
import type { SourceRecord, Value } from '../source-record.ts';
import {
  column,
  dayCell,
  dayType,
  idColumn,
  longTextType,
  nameColumn,
  nameOrIdHint,
  numberColumn,
  referencesTo,
  textType,
  timeType,
} from './workbook-columns.ts';
import type { SheetFormat, SheetRecord, WriteContext } from './workbook-types.ts';
import { clearWord } from './workbook-words.ts';

export const examSheet: SheetFormat = {
  name: '考试',
  also: ['考试安排', '考试列表', '月考安排'],
  kinds: ['exam'],
  columns: [
    idColumn,
    nameColumn('考试名称', 'name', examNameLimit, { also: ['考试', '名称'], example: '高一数学第一次月考' }),
    column('学校', 'school_ids', referencesTo('school'), {
      also: ['校区', '所属学校'],
      hint: `${nameOrIdHint}，多个用顿号分开。只有一所学校，或写了班级时可以不填`,
      example: '第一网校',
    }),
    column('年级', 'grade_ids', referencesTo('grade'), {
      hint: '给这些年级现在的全部班级，多个用顿号分开；年级和班级都不填，就是全校学员',
      example: '高一',
    }),
    column('班级', 'class_ids', referencesTo('class'), {
      also: ['班级名称', '参加班级'],
      hint: '班级的名称或编号，多个用顿号分开',
      example: '',
    }),
    column('考试分类', 'category_name', textType, { also: ['分类'], hint: '已有的考试分类的名称', example: '' }),
    column('开始日期', '', dayType, {
      also: ['日期', '考试日期'],
      isDecisive: true,
      hint: '如 2026-11-05；不填则发布后即可作答',
      example: '2026-11-05',
      read: (text, { get, timeZone }) => ({
        start_at: text === clearWord ? null : momentOf(text, timeIn(get('开始时间'), '00:00'), timeZone),
      }),
      write: ({ fields }, { timeZone }) => dayCell(fields.start_at, timeZone),
    }),
    column('开始时间', '', timeType, {
      also: ['时间', '开考时间'],
      hint: '如 08:00；不填则从零点开始',
      example: '08:00',
      read: (_, record) => needsDay(record, '开始时间', ['开始日期']),
      write: timeCell('start_at'),
    }),
    column('结束日期', '', dayType, {
      isDecisive: true,
      hint: '不填而写了结束时间，就是开始的那一天；都不填则没有结束时间',
      example: '',
      read: (text, { get, timeZone }) => ({ end_at: endOf(text, get('结束时间'), timeZone) }),
      write: ({ fields }, { timeZone }) => dayCell(fields.end_at, timeZone),
    }),
    column('结束时间', '', timeType, {
      hint: '如 10:00；不填则到当天结束',
      example: '10:00',
      read(text, record) {
        const day = record.get('结束日期') || record.get('开始日期');
        if (text === clearWord || day === '' || day === clearWord)
          return needsDay(record, '结束时间', ['结束日期', '开始日期']);
        return { end_at: endOf(day, text, record.timeZone) };
      },
      write: timeCell('end_at'),
    }),
    numberColumn(
      '考试时长（分钟）',
      'limit_minutes',
      { most: maxLimitMinutes },
      {
        also: ['时长', '时长（分钟）', '限时'],
        isDecisive: true,
        hint: `0到${maxLimitMinutes}，不填或0为不限时`,
        example: '120',
      },
    ),
    numberColumn(
      '及格分',
      'pass_score',
      { decimals: 1, most: maxPassScore / 10 },
      { also: ['及格线', '及格分数'], hint: '不填为0', example: '60' },
    ),
    numberColumn(
      '答题次数',
      'attempts',
      { most: maxAttempts },
      { hint: `每名学员可以提交几次，0到${maxAttempts}，不填为1次，0为不限次`, example: '1' },
    ),
    column('考试说明', 'introduce', longTextType, {
      also: ['说明'],
      hint: `最多${examIntroduceLimit}个字。试卷在导入后由教务组卷、发布`,
      example: '',
    }),
  ],
};

const timeIn = (text: string, usual: string): string => (text === '' || text === clearWord ? usual : text);

/** End in unix seconds: at `time`, or at the end of the day. */
function endOf(day: string, time: string, timeZone: string): number | null {
  if (day === clearWord) return null;
  return time === '' || time === clearWord
    ? momentOf(addDays(day, 1), '00:00', timeZone)
    : momentOf(day, time, timeZone);
}

/** Refuses a time without a day. */
function needsDay({ get, remarks, place }: SheetRecord, head: string, days: readonly string[]): Record<string, Value> {
  const text = get(head);
  if (text !== clearWord && days.every((day) => get(day) === '' || get(day) === clearWord))
    remarks.reject(place, head, `写了${head}“${text}”，请填写${days[0]}`);
  return {};
}

function timeCell(field: 'start_at' | 'end_at') {
  return ({ fields }: SourceRecord, { timeZone }: WriteContext): string => {
    const value = fields[field];
    return typeof value === 'number' ? timeOf(value, timeZone) : '';
  };
}
