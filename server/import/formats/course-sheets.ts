/** Sheets of our own workbook for courses and periods. */
import { momentOf, timeOf } from '#server/school/calendar.ts';
import {
  categoryColumn,
  column,
  courseColumn,
  dayCell,
  dayType,
  gradeColumn,
  idColumn,
  lecturerColumn,
  longTextType,
  nameColumn,
  numberColumn,
  referenceTo,
  schoolColumn,
  subjectColumn,
  textType,
  timeType,
  wordColumn,
} from './workbook-columns.ts';
import type { SheetFormat } from './workbook-types.ts';
import { courseTypeWords } from './workbook-words.ts';

export const courseSheet: SheetFormat = {
  name: '课程',
  also: ['课程列表', '课程信息'],
  kinds: ['course'],
  columns: [
    idColumn,
    nameColumn('课程名称', 'title', 100, { also: ['课程', '名称'], example: '高一数学' }),
    wordColumn('类型', 'course_type', courseTypeWords, { also: ['课程类型'], example: '直播课' }),
    schoolColumn,
    categoryColumn,
    gradeColumn,
    subjectColumn,
    column('上级课程', 'parent_id', referenceTo('course'), { hint: '属于哪门课程组；没有可以不填', example: '' }),
    column('简介', 'introduction', longTextType, { hint: '最多1000个字', example: '' }),
  ],
};

export const periodSheet: SheetFormat = {
  name: '课时',
  also: ['课时列表', '课程表'],
  kinds: ['period'],
  columns: [
    idColumn,
    courseColumn,
    column('章节', 'chapter_title', textType, { hint: '没有可以不填', example: '第一章 集合' }),
    nameColumn('课时名称', 'title', 100, { also: ['名称', '课时'], example: '集合的概念' }),
    wordColumn('类型', 'periods_type', courseTypeWords, {
      also: ['课时类型'],
      hint: `不填则与课程相同：${Object.keys(courseTypeWords).join('、')}`,
      example: '直播课',
    }),
    lecturerColumn,
    column('日期', '', dayType, {
      also: ['上课日期'],
      required: true,
      hint: '如 2026-09-01',
      example: '2026-09-01',
      read: (text, { get, timeZone }) => ({ start_play: momentOf(text, get('开始时间'), timeZone) }),
      write: ({ fields }, { timeZone }) => dayCell(fields.start_play, timeZone),
    }),
    column('开始时间', '', timeType, {
      also: ['时间', '上课时间'],
      required: true,
      hint: '如 19:30',
      example: '19:30',
      write: ({ fields: { start_play: start } }, { timeZone }) =>
        typeof start === 'number' ? timeOf(start, timeZone) : '',
    }),
    numberColumn(
      '时长（分钟）',
      'minutes',
      { least: 5, most: 720 },
      {
        also: ['时长', '分钟'],
        isDecisive: true,
        example: '90',
      },
    ),
    numberColumn(
      '提前进入（分钟）',
      'advance_time',
      { most: 1440 },
      {
        also: ['提前进入'],
        hint: '学员可以提前多久进入，0到1440',
        example: '10',
      },
    ),
  ],
};
