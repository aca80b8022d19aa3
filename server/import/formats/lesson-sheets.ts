/** Sheets of our own workbook for lessons and weekly timetables. */
import { timetableWeeks } from '../rules.ts';
import {
  column,
  courseColumn,
  dayType,
  endColumn,
  groupClassColumn,
  idColumn,
  lecturerColumn,
  longTextType,
  nameOrIdHint,
  referenceTo,
  roomColumn,
  startColumn,
  teachingModeColumn,
  textType,
  wordColumn,
} from './workbook-columns.ts';
import type { SheetFormat } from './workbook-types.ts';
import { parityWords, weekdayWords } from './workbook-words.ts';

export const lessonSheet: SheetFormat = {
  name: '课次',
  also: ['课次列表', '排课', '团课课次'],
  kinds: ['lesson'],
  columns: [
    idColumn,
    { ...groupClassColumn, required: true },
    courseColumn,
    column('课时', 'period_id', referenceTo('period'), { hint: '课程中的哪一课时；没有可以不填', example: '' }),
    column('课题', 'chapter_title', textType, { also: ['章节', '内容'], hint: '最多100个字', example: '集合' }),
    { ...lecturerColumn, required: true },
    roomColumn,
    teachingModeColumn,
    column('日期', 'day', dayType, {
      also: ['上课日期'],
      required: true,
      hint: '如 2026-09-05',
      example: '2026-09-05',
    }),
    startColumn,
    { ...endColumn, hint: '同一天，如 11:00', example: '11:00' },
  ],
};

export const timetableSheet: SheetFormat = {
  name: '课表',
  also: ['课表规则', '每周课表', '周课表'],
  // A rule of a timetable becomes periods or lessons. Exports contain these, so there are no rules to write.
  kinds: [],
  columns: [
    { ...idColumn, hint: '可以不填' },
    {
      ...groupClassColumn,
      also: ['团课名称'],
      hint: '团课或一对一，排成课次；团课和班级都不填则排成课程的课时，所有上这门课程的班级都上',
    },
    column('班级', '', referenceTo('class'), {
      also: ['行政班', '班级名称'],
      hint: '行政班自己的课表，排成“课程（班级）”的课时，只有这个班上；课程须写在工作表“课程”中',
      example: '',
    }),
    courseColumn,
    wordColumn('星期', '', weekdayWords, { also: ['周几'], required: true, example: '周二' }),
    startColumn,
    endColumn,
    column('第一周', '', dayType, {
      also: ['开学日期', '第一天'],
      required: true,
      hint: '第一周从哪天开始，如 2026-09-01',
      example: '2026-09-01',
    }),
    column('周次', '', longTextType, {
      also: ['周'],
      required: true,
      hint: `如 1-16，或 1-8、10-16；最多${timetableWeeks}周。节假日不上课，调休按设置的星期上课`,
      example: '1-16',
    }),
    wordColumn('单双周', '', parityWords, {
      hint: `${Object.keys(parityWords).join('、')}；不填为每周`,
      example: '每周',
    }),
    { ...lecturerColumn, hint: '姓名、用户名或编号；团课和一对一须填写' },
    { ...roomColumn, hint: `${nameOrIdHint}，只用于团课和一对一` },
    { ...teachingModeColumn, hint: `${teachingModeColumn.hint}，只用于团课和一对一` },
  ],
};
