import { noLecturerMessage, timetableWeeks } from '#server/import/rules.ts';

export const timetableNameLimit = 30;

/** Maximum rules of a timetable. */
export const maxTimetableRules = 60;

/** Message for a rule that is at the same time as another rule of the class or course. */
export const duplicateRuleMessage = (number: number): string => `与第${number}条规则的时间相同`;

export const missingTimetable = '该课表不存在';

export const timetableMessages = {
  noSchool: '请选择学校',
  noName: '请填写课表名称',
  nameLength: `课表名称不能超过${timetableNameLimit}个字`,
  noFirstDay: '请填写第一周的日期',
  fromDay: '请填写正确的生效日期',
  weeks: `周数为1到${timetableWeeks}`,
  skip: '不上课的日期请写成 2026-05-01，多个日期用逗号或换行分开',
  noRules: '请至少填写一条规则',
  tooManyRules: `最多${maxTimetableRules}条规则`,
  noCourse: '请选择课程、班级或团课',
  noWeekday: '请选择星期',
  noStart: '请填写开始时间',
  noEnd: '请填写结束时间',
  span: '结束时间须晚于开始时间，每节课5到720分钟',
  noLecturer: noLecturerMessage,
  turned: '结束周不能早于开始周',
  noDays: '按这些规则和日期没有可排的课',
} as const;
