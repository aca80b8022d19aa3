/** Sheets and columns of our own workbook: reading, writing, and the template's explanations. */

import { plainUsername } from '#server/account/rules.ts';
import { termTypeNames, termTypes } from '#server/catalogue/rules.ts';
import { allClassTypes, classTypeNames, courseTypeName } from '#server/classes/rules.ts';
import { courseKinds, weekdayNames } from '#server/courses/rules.ts';
import { lessonClassTypes, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import { dayEnd, dayOf, dayStart, momentOf, timeOf } from '#server/school/calendar.ts';
import { permissionNames } from '#server/school/call.ts';
import { type Parity, timetableWeeks } from '../rules.ts';
import { type Kind, referencesIn, type Value } from '../source-record.ts';
import { readDay } from './values.ts';
import type { ColumnType, SheetColumn, SheetFormat, SheetName, SheetRecord } from './workbook-types.ts';

export const explanations = '说明';

const text = { is: 'text' } as const;
const day = { is: 'day' } as const;
const time = { is: 'time' } as const;
const code = { is: 'code' } as const;
const mobile = { is: 'mobile' } as const;
const long = { is: 'long' } as const;
const one = (...of: Kind[]) => ({ is: 'one', of }) as const;
const many = (...of: Kind[]) => ({ is: 'many', of }) as const;

type Rest = Omit<SheetColumn, 'head' | 'field' | 'type'>;
const column = (head: string, field: string, type: ColumnType, rest: Rest): SheetColumn => ({
  head,
  field,
  type,
  ...rest,
});
/** A required name that identifies the record, with maximum length. */
const name = (head: string, field: string, most: number, rest: Omit<Rest, 'hint' | 'required'>): SheetColumn =>
  column(head, field, text, { required: true, hint: `最多${most}个字`, ...rest });
const word = (
  head: string,
  field: string,
  words: Readonly<Record<string, string | number>>,
  rest: Omit<Rest, 'hint'> & { hint?: string },
): SheetColumn => column(head, field, { is: 'word', words }, { hint: Object.keys(words).join('、'), ...rest });
const number = (
  head: string,
  field: string,
  range: { decimals?: number; least?: number; most: number },
  rest: Omit<Rest, 'hint'> & { hint?: string },
): SheetColumn =>
  column(head, field, { is: 'number', ...range }, { hint: `${range.least ?? 0}到${range.most}`, ...rest });

const id = column('编号', '', code, {
  also: ['ID', '代码', 'sourcedId'],
  identifies: true,
  hint: '本系统以外的编号，同一来源中不重复；再次导入时按它认出是哪一个。没有可以不填',
  example: '示例',
});
const named = '写名称或编号；名称有重复时写编号';
const school = column('学校', 'school_id', one('school'), {
  also: ['校区', '所属学校', '所属校区'],
  hint: `${named}。只有一所学校时可以不填`,
  example: '第一网校',
});
const grade = column('年级', 'grade_id', one('grade'), { hint: '如 高一', example: '高一' });
const category = column('分类', 'classify_id', one('category'), {
  hint: '有上级时可写成 上级/下级',
  example: '同步课',
});
const subject = column('科目', 'subject_id', one('subject'), { also: ['学科'], hint: '如 数学', example: '数学' });
const heads = column('班主任', '', many('staff'), {
  hint: '讲师的姓名、用户名或编号，多人用顿号分开',
  example: '王老师',
});
const assistants = column('助教', '', many('staff'), {
  hint: '助教的姓名、用户名或编号，多人用顿号分开',
  example: '李助教',
});
const classCourses = column('课程', '', many('course'), {
  hint: '课程的名称或编号，多门用顿号分开',
  example: '高一数学',
});

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

const categoryWords = { 年级: 'grade', 分类: 'category', 科目: 'subject' } as const;
const termKinds = Object.fromEntries(termTypes.map((type) => [termTypeNames[type], 'term']));
const permissionWords = Object.fromEntries(permissions.map((permission) => [permissionNames[permission], permission]));

export const weekdayWords: Readonly<Record<string, number>> = Object.fromEntries(
  weekdayNames.map((name, at) => [name, at + 1]),
);
export const parityWords: Readonly<Record<string, Parity>> = { 每周: 'all', 单周: 'odd', 双周: 'even' };

export const termWords: Readonly<Record<string, (typeof termTypes)[number]>> = Object.fromEntries(
  termTypes.map((type) => [termTypeNames[type], type]),
);

/** For administrators of all schools. */
export const everySchoolWord = '全部学校';
/** For classes without an end. */
export const longTermWord = '长期';
/** Clears a stored value; an empty cell leaves it unchanged. */
export const clearWord = '清空';
/** Id prefix of the template's example rows. */
export const exampleId = '示例';

/** The day of a time in unix seconds. */
const dayOfMoment = (value: Value | undefined, timeZone: string, before = 0): string => {
  if (value === null) return clearWord;
  return typeof value === 'number' ? dayOf(value - before, timeZone) : '';
};
const wordFor = (words: Readonly<Record<string, string>>, value: Value | undefined): string | undefined =>
  Object.keys(words).find((one) => words[one] === value);

const lecturer = column('讲师', 'lecturer_id', one('staff'), {
  also: ['老师', '主讲'],
  hint: '姓名、用户名或编号',
  example: '王老师',
});
const lessonRoom = column('教室', 'room_id', one('room'), { hint: named, example: 'A101' });
const mode = word('上课方式', 'teaching_mode', modeWords, { example: '线下' });
const groupClass = column('团课', 'class_id', one('group_class'), {
  also: ['班级', '团课名称', '班级名称'],
  hint: named,
  example: '数学提高班',
});
const lessonCourse = column('课程', 'course_id', one('course'), { required: true, hint: named, example: '高一数学' });
const lessonStart = column('开始时间', 'start', time, {
  also: ['开始'],
  required: true,
  hint: '如 09:00',
  example: '09:00',
});
const lessonEnd = column('结束时间', 'end', time, {
  also: ['结束'],
  required: true,
  hint: '如 10:30',
  example: '10:30',
});

/** In the order of the file. */
export const sheetFormats: readonly SheetFormat[] = [
  {
    name: '学校',
    also: ['校区', '学校信息'],
    kinds: ['school'],
    columns: [id, name('学校名称', 'name', 30, { also: ['名称', '校区', '学校', '校区名称'], example: '第一网校' })],
  },
  {
    name: '年级与分类',
    also: ['分类', '年级', '科目', '年级分类', '基础资料', '分类/年级/科目', '学期'],
    kinds: ['term', 'grade', 'category', 'subject'],
    columns: [
      id,
      word(
        '类别',
        '',
        { ...categoryWords, ...termKinds },
        {
          also: ['类型'],
          required: true,
          example: '年级',
          read: (text) => (termWords[text] === undefined ? {} : { type: termWords[text] }),
          write: ({ kind, fields }) =>
            kind === 'term' ? (wordFor(termWords, fields.type) ?? '学期') : (wordFor(categoryWords, kind) ?? ''),
        },
      ),
      name('名称', 'name', 50, { example: '高一' }),
      column('上级', 'parent_id', one('category', 'term'), {
        also: ['上级分类'],
        hint: '只有分类和学期可以有上级，如学期的学年',
        example: '',
      }),
      column('开始日期', 'first_day', day, {
        also: ['第一天'],
        hint: '学年和学期的第一天，如 2026-09-01',
        example: '',
      }),
      column('结束日期', 'last_day', day, {
        also: ['最后一天'],
        hint: '学年和学期的最后一天，如 2027-01-20',
        example: '',
      }),
    ],
  },
  {
    name: '课程',
    also: ['课程列表', '课程信息'],
    kinds: ['course'],
    columns: [
      id,
      name('课程名称', 'title', 100, { also: ['课程', '名称'], example: '高一数学' }),
      word('类型', 'course_type', courseTypeWords, { also: ['课程类型'], example: '直播课' }),
      school,
      category,
      grade,
      subject,
      column('上级课程', 'parent_id', one('course'), { hint: '属于哪门课程组；没有可以不填', example: '' }),
      column('简介', 'introduction', long, { hint: '最多1000个字', example: '' }),
    ],
  },
  {
    name: '课时',
    also: ['课时列表', '课程表'],
    kinds: ['period'],
    columns: [
      id,
      lessonCourse,
      column('章节', 'chapter_title', text, { hint: '没有可以不填', example: '第一章 集合' }),
      name('课时名称', 'title', 100, { also: ['名称', '课时'], example: '集合的概念' }),
      word('类型', 'periods_type', courseTypeWords, {
        also: ['课时类型'],
        hint: `不填则与课程相同：${Object.keys(courseTypeWords).join('、')}`,
        example: '直播课',
      }),
      lecturer,
      column('日期', '', day, {
        also: ['上课日期'],
        required: true,
        hint: '如 2026-09-01',
        example: '2026-09-01',
        read: (text, { get, timeZone }) => ({ start_play: momentOf(text, get('开始时间'), timeZone) }),
        write: ({ fields }, { timeZone }) => dayOfMoment(fields.start_play, timeZone),
      }),
      column('开始时间', '', time, {
        also: ['时间', '上课时间'],
        required: true,
        hint: '如 19:30',
        example: '19:30',
        write: ({ fields: { start_play: start } }, { timeZone }) =>
          typeof start === 'number' ? timeOf(start, timeZone) : '',
      }),
      number(
        '时长（分钟）',
        'minutes',
        { least: 5, most: 720 },
        {
          also: ['时长', '分钟'],
          isDecisive: true,
          example: '90',
        },
      ),
      number(
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
  },
  {
    name: '班级',
    also: ['班级列表', '行政班'],
    kinds: ['class', 'class_course', 'class_staff'],
    columns: [
      id,
      name('班级名称', 'name', 100, { also: ['班级', '名称'], example: '高一（1）班' }),
      school,
      grade,
      category,
      column('大班', 'large_class_name', text, { hint: '共用课表的大班；没有可以不填', example: '' }),
      column('学期', 'term_ids', many('term'), { hint: `${named}，多个用顿号分开；没有可以不填`, example: '' }),
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
      id,
      column(
        '身份',
        'identity',
        { is: 'word', words: identityWords, meant: identityOfTitle },
        {
          also: ['角色', '岗位'],
          required: true,
          hint: '讲师、助教或教务',
          example: '讲师',
        },
      ),
      column('用户名', 'username', code, {
        also: ['账号', '登录名', '登录账号'],
        required: true,
        hint: '登录用，不能有空格',
        example: 'wang.li',
        read: (text) => ({ username: plainUsername(text) }),
      }),
      name('姓名', 'real_name', 50, { also: ['名字', '教师姓名'], example: '王老师' }),
      column('手机号', 'mobile', mobile, {
        also: ['手机', '电话', '联系电话'],
        hint: '11位手机号',
        example: '13800000001',
      }),
      school,
      column(
        '权限',
        'permissions',
        { is: 'words', words: permissionWords },
        {
          hint: `多项用顿号分开：${Object.keys(permissionWords).join('、')}`,
          example: '布置作业、批改作业',
        },
      ),
      column('管理的学校', '', many('school'), {
        hint: `教务管理哪些学校，多所用顿号分开；${everySchoolWord}则写“${everySchoolWord}”`,
        example: '',
        read(text, { get, many: named }) {
          if (get('身份') !== '教务') return {};
          if (text === everySchoolWord) return { every_school: 1, school_ids: [] };
          return { every_school: 0, school_ids: named('管理的学校', 'school') };
        },
        async write({ fields: { identity, every_school, school_ids } }, { named }) {
          if (identity !== identityWords.教务 || every_school === undefined) return '';
          return every_school === 1 ? everySchoolWord : named(referencesIn(school_ids), ['school']);
        },
      }),
    ],
  },
  {
    name: '学员',
    also: ['学生', '学员名单', '学生名单', '花名册'],
    kinds: ['student'],
    columns: [
      id,
      name('姓名', 'nickname', 50, { also: ['学员', '学生', '学员姓名', '学生姓名', '名字'], example: '张三' }),
      column('学号', 'number', code, {
        also: ['学籍号', '学生编号'],
        identifies: true,
        hint: '同一学校内不重复，不能有空格',
        example: '20260001',
      }),
      column('手机号', 'mobile', mobile, {
        also: ['手机', '学员手机', '学生手机', '联系电话', '电话'],
        identifies: true,
        hint: '11位手机号',
        example: '13800000002',
      }),
      column('家长手机号', 'guardian_mobile', mobile, {
        also: ['家长手机', '家长电话', '监护人手机', '父母电话'],
        hint: '11位手机号',
        example: '13800000003',
      }),
      school,
    ],
  },
  {
    name: '进班',
    also: ['班级成员', '分班', '学员进班', '分班名单'],
    kinds: ['membership'],
    columns: [
      id,
      column('班级', 'class_id', one('class', 'group_class'), {
        also: ['班级名称'],
        required: true,
        hint: `班级或团课；${named}`,
        example: '高一（1）班',
      }),
      column('学员', 'student_id', one('student'), {
        also: ['姓名', '学生', '学号', '学员姓名'],
        required: true,
        hint: '姓名、学号、手机号或编号；有重名时写学号或编号',
        example: '张三',
      }),
      column('加入日期', '', day, {
        also: ['进班日期'],
        hint: '不填则为导入当天',
        example: '2026-09-01',
        read: (text, { timeZone }) => (text === clearWord ? {} : { joined_at: dayStart(text, timeZone) }),
        write: ({ fields }, { timeZone }) => dayOfMoment(fields.joined_at, timeZone),
      }),
      column('离开日期', '', day, {
        also: ['退班日期'],
        isDecisive: true,
        hint: '在班的最后一天；还在班不填',
        example: '',
        read: (text, { timeZone }) => ({ left_at: text === clearWord ? null : dayEnd(text, timeZone) }),
        // The last day in the class, that is the day before `left_at`.
        write: ({ fields }, { timeZone }) => dayOfMoment(fields.left_at, timeZone, 1),
      }),
      column('离开原因', 'left_reason', text, { hint: '最多100个字', example: '' }),
      column('合同编号', 'contracts_number', code, { also: ['合同号'], hint: '只有团课和一对一需要', example: '' }),
      word('计费方式', 'sign_type', signWords, { example: '' }),
      number('剩余课时', 'remaining_lessons', { most: 9999 }, { isDecisive: true, example: '' }),
      number(
        '课时单价',
        'periods_price',
        { decimals: 2, most: 99_999 },
        {
          isDecisive: true,
          hint: '元，最多两位小数',
          example: '',
        },
      ),
      number('每课时分钟数', 'lesson_minutes', { most: 600 }, { isDecisive: true, example: '' }),
    ],
  },
  {
    name: '教室',
    also: ['教室列表'],
    kinds: ['room'],
    columns: [
      id,
      school,
      name('教室名称', 'name', 50, { also: ['教室', '名称'], example: 'A101' }),
      number('座位数', 'seats', { most: 9999 }, { also: ['座位', '容量'], example: '40' }),
    ],
  },
  {
    name: '团课',
    also: ['团课班级', '一对一', '团课与一对一'],
    kinds: ['group_class', 'class_course', 'class_staff'],
    columns: [
      id,
      name('团课名称', 'name', 100, { also: ['名称', '班级', '班级名称', '团课'], example: '数学提高班' }),
      word('类型', 'class_type', lessonClassWords, { also: ['班级类型'], required: true, example: '团课班级' }),
      school,
      grade,
      category,
      subject,
      lecturer,
      lessonRoom,
      mode,
      word('计费方式', 'sign_type', signWords, { example: '按课时' }),
      column('上课时间', 'schedule', text, { hint: '文字说明，如 每周六上午', example: '每周六上午' }),
      column('开课日期', 'start_day', day, { required: true, hint: '如 2026-09-05', example: '2026-09-05' }),
      column('备注', 'remarks', long, { hint: '最多500个字', example: '' }),
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
      id,
      { ...groupClass, required: true },
      lessonCourse,
      column('课时', 'period_id', one('period'), { hint: '课程中的哪一课时；没有可以不填', example: '' }),
      column('课题', 'chapter_title', text, { also: ['章节', '内容'], hint: '最多100个字', example: '集合' }),
      { ...lecturer, required: true },
      lessonRoom,
      mode,
      column('日期', 'day', day, {
        also: ['上课日期'],
        required: true,
        hint: '如 2026-09-05',
        example: '2026-09-05',
      }),
      lessonStart,
      { ...lessonEnd, hint: '同一天，如 11:00', example: '11:00' },
    ],
  },
  {
    name: '课表',
    also: ['课表规则', '每周课表', '周课表'],
    // Rules become periods or lessons. An export has these, not the rules.
    kinds: [],
    columns: [
      { ...id, hint: '可以不填' },
      { ...groupClass, hint: '团课或一对一，排成课次；不填则排成课程的课时，所有上这门课程的班级都上' },
      lessonCourse,
      word('星期', '', weekdayWords, { also: ['周几'], required: true, example: '周二' }),
      lessonStart,
      lessonEnd,
      column('第一周', '', day, {
        also: ['开学日期', '第一天'],
        required: true,
        hint: '第一周从哪天开始，如 2026-09-01',
        example: '2026-09-01',
      }),
      column('周次', '', long, {
        also: ['周'],
        required: true,
        hint: `如 1-16，或 1-8、10-16；最多${timetableWeeks}周。节假日不上课，调休按设置的星期上课`,
        example: '1-16',
      }),
      word('单双周', '', parityWords, { hint: `${Object.keys(parityWords).join('、')}；不填为每周`, example: '每周' }),
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
      id,
      column('班级', 'class_id', one('class'), {
        also: ['班级名称'],
        required: true,
        hint: named,
        example: '高一（1）班',
      }),
      lessonCourse,
      name('分组名称', 'group_name', 50, { also: ['分组', '小组', '组名'], example: '第一组' }),
      { ...assistants, field: 'staff_ids' },
      column('学员', '', many('student'), {
        also: ['姓名', '学生'],
        hint: '姓名、学号或编号，多人用顿号分开，也可以每人一行',
        example: '张三',
      }),
    ],
  },
];

function readValidity(text: string, { place, remarks }: SheetRecord): Record<string, Value> {
  if (text === longTermWord || text === clearWord) return { valid_type: 1, valid_day: null };
  const parsed = readDay(text);
  if ('fault' in parsed) {
    remarks.reject(place, '有效期至', parsed.fault);
    return {};
  }
  if (parsed.said !== undefined) remarks.forgive(place, '有效期至', parsed.said);
  return { valid_type: 2, valid_day: parsed.value };
}

/** The column by which records of a kind are referred to. */
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

/** Choices for a column's dropdown: words, or a column of another sheet. */
export function choicesOf({ type }: SheetColumn): readonly string[] | { sheet: string; column: number } {
  if (type.is === 'word') return Object.keys(type.words);
  const named = type.is === 'one' ? nameColumns[type.of[0] ?? 'term'] : undefined;
  const format = sheetFormats.find(({ name }) => name === named?.sheet);
  const place = format?.columns.findIndex(({ head }) => head === named?.head) ?? -1;
  return named && place >= 0 ? { sheet: named.sheet, column: place + 1 } : [];
}
