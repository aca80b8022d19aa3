/** The sheets of our own workbook: what is read from them, written into them, and explained in the template. */

import { termTypeNames, termTypes } from '#server/catalogue/rules.ts';
import { allClassTypes, classTypeNames, courseTypeName } from '#server/classes/rules.ts';
import { courseKinds, weekdayNames } from '#server/courses/rules.ts';
import { lessonClassTypes, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import { permissionNames } from '#server/school/call.ts';
import type { Kind } from '../intended.ts';
import { type Parity, timetableWeeks } from '../rules.ts';

export type ColumnType =
  /** On one line. `code`: an id, a number, a user name. `long`: of several lines. */
  | { is: 'code' | 'long' | 'mobile' | 'day' | 'time' }
  /** `orDay`: may hold a day. */
  | { is: 'text'; orDay?: true }
  | { is: 'number'; decimals?: number; least?: number; most: number }
  /** `meant` maps other words to one of these, such as titles. */
  | {
      is: 'word';
      words: Readonly<Record<string, string | number>>;
      meant?: (text: string) => string | undefined;
    }
  | { is: 'words'; words: Readonly<Record<string, string>> }
  /** A record of one of these kinds, or several. */
  | { is: 'one' | 'many'; of: readonly Kind[] };

export interface SheetColumn {
  head: string;
  /** What it is called elsewhere. */
  also?: readonly string[];
  /** Of the intended record; '' where the sheet makes something else of it. */
  field: string;
  type: ColumnType;
  required?: true;
  /** An unreadable value refuses the row, since the row would mean something else without it. */
  isDecisive?: true;
  /** Identifies the row; one such column is enough. */
  identifies?: true;
  /** What a person is told who fills it in. */
  hint: string;
  example: string;
}

export interface SheetFormat {
  name: SheetName;
  also: readonly string[];
  /** What its rows are, and what else it says. */
  kinds: readonly Kind[];
  columns: readonly SheetColumn[];
}

export type SheetName =
  | '学校'
  | '年级与分类'
  | '课程'
  | '课时'
  | '班级'
  | '人员'
  | '学员'
  | '进班'
  | '教室'
  | '团课'
  | '课次'
  | '课表'
  | '分组';

export const explanations = '说明';

const text = { is: 'text' } as const;
const day = { is: 'day' } as const;
const time = { is: 'time' } as const;
const one = (...of: Kind[]) => ({ is: 'one', of }) as const;
const many = (...of: Kind[]) => ({ is: 'many', of }) as const;

const numberHint = '本系统以外的编号，同一来源中不重复；再次导入时按它认出是哪一个。没有可以不填';
const id = {
  head: '编号',
  also: ['ID', '代码', 'sourcedId'],
  field: '',
  identifies: true,
  type: { is: 'code' },
  hint: numberHint,
} as const;
const named = '写名称或编号；名称有重复时写编号';
const school = {
  head: '学校',
  also: ['校区', '所属学校', '所属校区'],
  field: 'school_id',
  type: one('school'),
  hint: `${named}。只有一所学校时可以不填`,
  example: '第一网校',
} as const;
const grade = { head: '年级', field: 'grade_id', type: one('grade'), hint: '如 高一', example: '高一' } as const;
const category = {
  head: '分类',
  field: 'classify_id',
  type: one('category'),
  hint: '有上级时可写成 上级/下级',
  example: '同步课',
} as const;
const subject = {
  head: '科目',
  also: ['学科'],
  field: 'subject_id',
  type: one('subject'),
  hint: '如 数学',
  example: '数学',
} as const;
const heads = {
  head: '班主任',
  field: '',
  type: many('staff'),
  hint: '讲师的姓名、用户名或编号，多人用顿号分开',
  example: '王老师',
} as const;
const assistants = {
  head: '助教',
  field: '',
  type: many('staff'),
  hint: '助教的姓名、用户名或编号，多人用顿号分开',
  example: '李助教',
} as const;
const classCourses = {
  head: '课程',
  field: '',
  type: many('course'),
  hint: '课程的名称或编号，多门用顿号分开',
  example: '高一数学',
} as const;

export const courseTypeWords = Object.fromEntries(courseKinds.map((kind) => [courseTypeName(kind), kind]));
const lessonClassWords = Object.fromEntries(
  allClassTypes
    .filter((type) => lessonClassTypes.some((one) => one === type))
    .map((type) => [classTypeNames[type], type]),
);
const signWords = Object.fromEntries(signTypes.map((type) => [signTypeNames[type], type]));
const modeWords = { 直播: 1, 线下: 2 };
export const identityWords = { 讲师: 'teacher', 助教: 'assist', 教务: 'admin' } as const;
/** Maps a job title (语文教师, 教学助理) to an identity. */
export function identityOfTitle(title: string): string | undefined {
  if (/助教|助理|辅导/.test(title)) return '助教';
  return /教师|老师|讲师|教员|主讲|主任|组长/.test(title) ? '讲师' : undefined;
}

const termKinds = Object.fromEntries(termTypes.map((type) => [termTypeNames[type], 'term']));
const permissionWords = Object.fromEntries(permissions.map((permission) => [permissionNames[permission], permission]));

/** By the words of a weekday and of its weeks. */
export const weekdayWords: Readonly<Record<string, number>> = Object.fromEntries(
  weekdayNames.map((name, at) => [name, at + 1]),
);
export const parityWords: Readonly<Record<string, Parity>> = { 每周: 'all', 单周: 'odd', 双周: 'even' };

/** By the word of a school year or a term. */
export const termWords: Readonly<Record<string, (typeof termTypes)[number]>> = Object.fromEntries(
  termTypes.map((type) => [termTypeNames[type], type]),
);

/** Of an administrator who looks after all of them. */
export const everySchool = '全部学校';
/** Of a class without an end. */
export const longTerm = '长期';
/** What takes away what is stored: an empty cell leaves it. */
export const cleared = '清空';
/** How rows of the template begin that only show how it is done. */
export const exampleId = '示例';

const lecturer = {
  head: '讲师',
  also: ['老师', '主讲'],
  field: 'lecturer_id',
  type: one('staff'),
  hint: '姓名、用户名或编号',
  example: '王老师',
} as const;
const lessonRoom = { head: '教室', field: 'room_id', type: one('room'), hint: named, example: 'A101' } as const;
const mode = {
  head: '上课方式',
  field: 'teaching_mode',
  type: { is: 'word', words: modeWords },
  hint: Object.keys(modeWords).join('、'),
  example: '线下',
} as const;
const groupClass = {
  head: '团课',
  also: ['班级', '团课名称', '班级名称'],
  field: 'class_id',
  type: one('group_class'),
  hint: named,
  example: '数学提高班',
} as const;
const lessonCourse = {
  head: '课程',
  field: 'course_id',
  type: one('course'),
  required: true,
  hint: named,
  example: '高一数学',
} as const;
const lessonStart = {
  head: '开始时间',
  also: ['开始'],
  field: 'start',
  type: time,
  required: true,
  hint: '如 09:00',
  example: '09:00',
} as const;
const lessonEnd = {
  head: '结束时间',
  also: ['结束'],
  field: 'end',
  type: time,
  required: true,
  hint: '如 10:30',
  example: '10:30',
} as const;

/** In the order in which the file has them. */
export const sheetFormats: readonly SheetFormat[] = [
  {
    name: '学校',
    also: ['校区', '学校信息'],
    kinds: ['school'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '学校名称',
        also: ['名称', '校区', '学校', '校区名称'],
        field: 'name',
        type: text,
        required: true,
        hint: '最多30个字',
        example: '第一网校',
      },
    ],
  },
  {
    name: '年级与分类',
    also: ['分类', '年级', '科目', '年级分类', '基础资料', '分类/年级/科目', '学期'],
    kinds: ['term', 'category', 'grade', 'subject'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '类别',
        also: ['类型'],
        field: '',
        type: { is: 'word', words: { 年级: 'grade', 分类: 'category', 科目: 'subject', ...termKinds } },
        required: true,
        hint: `年级、分类、科目、${Object.keys(termKinds).join('、')}`,
        example: '年级',
      },
      { head: '名称', field: 'name', type: text, required: true, hint: '最多50个字', example: '高一' },
      {
        head: '上级',
        also: ['上级分类'],
        field: 'parent_id',
        type: one('category', 'term'),
        hint: '只有分类和学期可以有上级，如学期的学年',
        example: '',
      },
      {
        head: '开始日期',
        also: ['第一天'],
        field: 'first_day',
        type: day,
        hint: '学年和学期的第一天，如 2026-09-01',
        example: '',
      },
      {
        head: '结束日期',
        also: ['最后一天'],
        field: 'last_day',
        type: day,
        hint: '学年和学期的最后一天，如 2027-01-20',
        example: '',
      },
    ],
  },
  {
    name: '课程',
    also: ['课程列表', '课程信息'],
    kinds: ['course'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '课程名称',
        also: ['课程', '名称'],
        field: 'title',
        type: text,
        required: true,
        hint: '最多100个字',
        example: '高一数学',
      },
      {
        head: '类型',
        also: ['课程类型'],
        field: 'course_type',
        type: { is: 'word', words: courseTypeWords },
        hint: Object.keys(courseTypeWords).join('、'),
        example: '直播课',
      },
      school,
      category,
      grade,
      subject,
      { head: '上级课程', field: 'parent_id', type: one('course'), hint: '属于哪门课程组；没有可以不填', example: '' },
      { head: '简介', field: 'introduction', type: { is: 'long' }, hint: '最多1000个字', example: '' },
    ],
  },
  {
    name: '课时',
    also: ['课时列表', '课程表'],
    kinds: ['period'],
    columns: [
      { ...id, example: '示例' },
      lessonCourse,
      { head: '章节', field: 'chapter_title', type: text, hint: '没有可以不填', example: '第一章 集合' },
      {
        head: '课时名称',
        also: ['名称', '课时'],
        field: 'title',
        type: text,
        required: true,
        hint: '最多100个字',
        example: '集合的概念',
      },
      {
        head: '类型',
        also: ['课时类型'],
        field: 'periods_type',
        type: { is: 'word', words: courseTypeWords },
        hint: `不填则与课程相同：${Object.keys(courseTypeWords).join('、')}`,
        example: '直播课',
      },
      lecturer,
      {
        head: '日期',
        also: ['上课日期'],
        field: '',
        type: day,
        required: true,
        hint: '如 2026-09-01',
        example: '2026-09-01',
      },
      {
        head: '开始时间',
        also: ['时间', '上课时间'],
        field: '',
        type: time,
        required: true,
        hint: '如 19:30',
        example: '19:30',
      },
      {
        head: '时长（分钟）',
        also: ['时长', '分钟'],
        field: 'minutes',
        type: { is: 'number', least: 5, most: 720 },
        isDecisive: true,
        hint: '5到720',
        example: '90',
      },
      {
        head: '提前进入（分钟）',
        also: ['提前进入'],
        field: 'advance_time',
        type: { is: 'number', most: 1440 },
        hint: '学员可以提前多久进入，0到1440',
        example: '10',
      },
    ],
  },
  {
    name: '班级',
    also: ['班级列表', '行政班'],
    kinds: ['class', 'class_course', 'class_staff'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '班级名称',
        also: ['班级', '名称'],
        field: 'name',
        type: text,
        required: true,
        hint: '最多100个字',
        example: '高一（1）班',
      },
      school,
      grade,
      category,
      { head: '大班', field: 'large_class_name', type: text, hint: '共用课表的大班；没有可以不填', example: '' },
      {
        head: '学期',
        field: 'term_ids',
        type: many('term'),
        hint: `${named}，多个用顿号分开；没有可以不填`,
        example: '',
      },
      {
        head: '有效期至',
        also: ['有效期', '结束日期'],
        field: '',
        type: { is: 'text', orDay: true },
        hint: '最后一天，如 2027-07-15；长期有效写“长期”',
        example: '2027-07-15',
      },
      heads,
      assistants,
      classCourses,
    ],
  },
  {
    name: '人员',
    also: ['讲师助教', '教师', '老师', '员工', '教职工', '教务'],
    kinds: ['staff'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '身份',
        also: ['角色', '岗位'],
        field: 'identity',
        type: { is: 'word', words: identityWords, meant: identityOfTitle },
        required: true,
        hint: '讲师、助教或教务',
        example: '讲师',
      },
      {
        head: '用户名',
        also: ['账号', '登录名', '登录账号'],
        field: 'username',
        type: { is: 'code' },
        required: true,
        hint: '登录用，不能有空格',
        example: 'wang.li',
      },
      {
        head: '姓名',
        also: ['名字', '教师姓名'],
        field: 'real_name',
        type: text,
        required: true,
        hint: '最多50个字',
        example: '王老师',
      },
      {
        head: '手机号',
        also: ['手机', '电话', '联系电话'],
        field: 'mobile',
        type: { is: 'mobile' },
        hint: '11位手机号',
        example: '13800000001',
      },
      school,
      {
        head: '权限',
        field: 'permissions',
        type: { is: 'words', words: permissionWords },
        hint: `多项用顿号分开：${Object.keys(permissionWords).join('、')}`,
        example: '布置作业、批改作业',
      },
      {
        head: '管理的学校',
        field: '',
        type: many('school'),
        hint: `教务管理哪些学校，多所用顿号分开；${everySchool}则写“${everySchool}”`,
        example: '',
      },
    ],
  },
  {
    name: '学员',
    also: ['学生', '学员名单', '学生名单', '花名册'],
    kinds: ['student'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '姓名',
        also: ['学员', '学生', '学员姓名', '学生姓名', '名字'],
        field: 'nickname',
        type: text,
        required: true,
        hint: '最多50个字',
        example: '张三',
      },
      {
        head: '学号',
        also: ['学籍号', '学生编号'],
        field: 'number',
        identifies: true,
        type: { is: 'code' },
        hint: '同一学校内不重复，不能有空格',
        example: '20260001',
      },
      {
        head: '手机号',
        also: ['手机', '学员手机', '学生手机', '联系电话', '电话'],
        field: 'mobile',
        identifies: true,
        type: { is: 'mobile' },
        hint: '11位手机号',
        example: '13800000002',
      },
      {
        head: '家长手机号',
        also: ['家长手机', '家长电话', '监护人手机', '父母电话'],
        field: 'guardian_mobile',
        type: { is: 'mobile' },
        hint: '11位手机号',
        example: '13800000003',
      },
      school,
    ],
  },
  {
    name: '进班',
    also: ['班级成员', '分班', '学员进班', '分班名单'],
    kinds: ['membership'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '班级',
        also: ['班级名称'],
        field: 'class_id',
        type: one('class', 'group_class'),
        required: true,
        hint: `班级或团课；${named}`,
        example: '高一（1）班',
      },
      {
        head: '学员',
        also: ['姓名', '学生', '学号', '学员姓名'],
        field: 'student_id',
        type: one('student'),
        required: true,
        hint: '姓名、学号、手机号或编号；有重名时写学号或编号',
        example: '张三',
      },
      { head: '加入日期', also: ['进班日期'], field: '', type: day, hint: '不填则为导入当天', example: '2026-09-01' },
      {
        head: '离开日期',
        also: ['退班日期'],
        field: '',
        type: day,
        isDecisive: true,
        hint: '在班的最后一天；还在班不填',
        example: '',
      },
      { head: '离开原因', field: 'left_reason', type: text, hint: '最多100个字', example: '' },
      {
        head: '合同编号',
        also: ['合同号'],
        field: 'contracts_number',
        type: { is: 'code' },
        hint: '只有团课和一对一需要',
        example: '',
      },
      {
        head: '计费方式',
        field: 'sign_type',
        type: { is: 'word', words: signWords },
        hint: Object.keys(signWords).join('、'),
        example: '',
      },
      {
        head: '剩余课时',
        field: 'remaining_lessons',
        type: { is: 'number', most: 9999 },
        isDecisive: true,
        hint: '0到9999',
        example: '',
      },
      {
        head: '课时单价',
        field: 'periods_price',
        type: { is: 'number', decimals: 2, most: 99_999 },
        isDecisive: true,
        hint: '元，最多两位小数',
        example: '',
      },
      {
        head: '每课时分钟数',
        field: 'lesson_minutes',
        type: { is: 'number', most: 600 },
        isDecisive: true,
        hint: '0到600',
        example: '',
      },
    ],
  },
  {
    name: '教室',
    also: ['教室列表'],
    kinds: ['room'],
    columns: [
      { ...id, example: '示例' },
      school,
      {
        head: '教室名称',
        also: ['教室', '名称'],
        field: 'name',
        type: text,
        required: true,
        hint: '最多50个字',
        example: 'A101',
      },
      {
        head: '座位数',
        also: ['座位', '容量'],
        field: 'seats',
        type: { is: 'number', most: 9999 },
        hint: '0到9999',
        example: '40',
      },
    ],
  },
  {
    name: '团课',
    also: ['团课班级', '一对一', '团课与一对一'],
    kinds: ['group_class', 'class_course', 'class_staff'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '团课名称',
        also: ['名称', '班级', '班级名称', '团课'],
        field: 'name',
        type: text,
        required: true,
        hint: '最多100个字',
        example: '数学提高班',
      },
      {
        head: '类型',
        also: ['班级类型'],
        field: 'class_type',
        type: { is: 'word', words: lessonClassWords },
        required: true,
        hint: Object.keys(lessonClassWords).join('、'),
        example: '团课班级',
      },
      school,
      grade,
      category,
      subject,
      lecturer,
      lessonRoom,
      mode,
      {
        head: '计费方式',
        field: 'sign_type',
        type: { is: 'word', words: signWords },
        hint: Object.keys(signWords).join('、'),
        example: '按课时',
      },
      { head: '上课时间', field: 'schedule', type: text, hint: '文字说明，如 每周六上午', example: '每周六上午' },
      { head: '开课日期', field: 'start_day', type: day, required: true, hint: '如 2026-09-05', example: '2026-09-05' },
      { head: '备注', field: 'remarks', type: { is: 'long' }, hint: '最多500个字', example: '' },
      heads,
      assistants,
      classCourses,
    ],
  },
  {
    name: '课次',
    also: ['课次列表', '排课', '团课课次'],
    kinds: ['lesson'],
    columns: [
      { ...id, example: '示例' },
      { ...groupClass, required: true },
      lessonCourse,
      { head: '课时', field: 'period_id', type: one('period'), hint: '课程中的哪一课时；没有可以不填', example: '' },
      {
        head: '课题',
        also: ['章节', '内容'],
        field: 'chapter_title',
        type: text,
        hint: '最多100个字',
        example: '集合',
      },
      { ...lecturer, required: true },
      lessonRoom,
      mode,
      {
        head: '日期',
        also: ['上课日期'],
        field: 'day',
        type: day,
        required: true,
        hint: '如 2026-09-05',
        example: '2026-09-05',
      },
      lessonStart,
      { ...lessonEnd, hint: '同一天，如 11:00', example: '11:00' },
    ],
  },
  {
    name: '课表',
    also: ['课表规则', '每周课表', '周课表'],
    // Of both, as its rows say.
    kinds: [],
    columns: [
      { ...id, hint: '可以不填', example: '示例' },
      { ...groupClass, hint: '团课或一对一，排成课次；不填则排成课程的课时，所有上这门课程的班级都上' },
      lessonCourse,
      {
        head: '星期',
        also: ['周几'],
        field: '',
        type: { is: 'word', words: weekdayWords },
        required: true,
        hint: Object.keys(weekdayWords).join('、'),
        example: '周二',
      },
      lessonStart,
      lessonEnd,
      {
        head: '第一周',
        also: ['开学日期', '第一天'],
        field: '',
        type: day,
        required: true,
        hint: '第一周从哪天开始，如 2026-09-01',
        example: '2026-09-01',
      },
      {
        head: '周次',
        also: ['周'],
        field: '',
        type: { is: 'long' },
        required: true,
        hint: `如 1-16，或 1-8、10-16；最多${timetableWeeks}周。节假日不上课，调休按设置的星期上课`,
        example: '1-16',
      },
      {
        head: '单双周',
        field: '',
        type: { is: 'word', words: parityWords },
        hint: `${Object.keys(parityWords).join('、')}；不填为每周`,
        example: '每周',
      },
      { ...lecturer, hint: '姓名、用户名或编号；团课和一对一须填写' },
      { ...lessonRoom, hint: `${named}，只用于团课和一对一` },
      { ...mode, hint: `${mode.hint}，只用于团课和一对一` },
    ],
  },
  {
    name: '分组',
    also: ['班级分组', '小组'],
    kinds: ['group', 'group_member'],
    columns: [
      { ...id, example: '示例' },
      {
        head: '班级',
        also: ['班级名称'],
        field: 'class_id',
        type: one('class'),
        required: true,
        hint: named,
        example: '高一（1）班',
      },
      lessonCourse,
      {
        head: '分组名称',
        also: ['分组', '小组', '组名'],
        field: 'group_name',
        type: text,
        required: true,
        hint: '最多50个字',
        example: '第一组',
      },
      { ...assistants, field: 'staff_ids' },
      {
        head: '学员',
        also: ['姓名', '学生'],
        field: '',
        type: many('student'),
        hint: '姓名、学号或编号，多人用顿号分开，也可以每人一行',
        example: '张三',
      },
    ],
  },
];

/** By what a record of a kind is named in the cells of others. */
const nameColumns: Partial<Record<Kind, { sheet: SheetName; head: string }>> = {
  school: { sheet: '学校', head: '学校名称' },
  room: { sheet: '教室', head: '教室名称' },
  staff: { sheet: '人员', head: '姓名' },
  student: { sheet: '学员', head: '姓名' },
  course: { sheet: '课程', head: '课程名称' },
  period: { sheet: '课时', head: '课时名称' },
  class: { sheet: '班级', head: '班级名称' },
  group_class: { sheet: '团课', head: '团课名称' },
};

/** What can be chosen in a cell of a column: words, or what stands in a column of another sheet. */
export function choicesOf({ type }: SheetColumn): readonly string[] | { sheet: string; column: number } {
  if (type.is === 'word') return Object.keys(type.words);
  const named = type.is === 'one' ? nameColumns[type.of[0] ?? 'term'] : undefined;
  const format = sheetFormats.find(({ name }) => name === named?.sheet);
  const place = format?.columns.findIndex(({ head }) => head === named?.head) ?? -1;
  return named && place >= 0 ? { sheet: named.sheet, column: place + 1 } : [];
}
