/** Sheets of our own workbook for staff, students and memberships. */
import { plainUsername } from '#server/account/rules.ts';
import { dayEnd, dayStart } from '#server/school/calendar.ts';
import { referencesIn } from '../source-record.ts';
import {
  codeType,
  column,
  dayCell,
  dayType,
  idColumn,
  mobileType,
  nameColumn,
  nameOrIdHint,
  numberColumn,
  referencesTo,
  referenceTo,
  schoolColumn,
  textType,
  wordColumn,
} from './workbook-columns.ts';
import type { SheetFormat } from './workbook-types.ts';
import {
  clearWord,
  everySchoolWord,
  identityOfTitle,
  identityWords,
  permissionWords,
  signWords,
} from './workbook-words.ts';

export const staffSheet: SheetFormat = {
  name: '人员',
  also: ['讲师助教', '教师', '老师', '员工', '教职工', '教务'],
  kinds: ['staff'],
  columns: [
    idColumn,
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
    column('用户名', 'username', codeType, {
      also: ['账号', '登录名', '登录账号'],
      required: true,
      hint: '登录用，不能有空格',
      example: 'wang.li',
      read: (text) => ({ username: plainUsername(text) }),
    }),
    nameColumn('姓名', 'real_name', 50, { also: ['名字', '教师姓名'], example: '王老师' }),
    column('手机号', 'mobile', mobileType, {
      also: ['手机', '电话', '联系电话'],
      hint: '11位手机号',
      example: '13800000001',
    }),
    schoolColumn,
    column(
      '权限',
      'permissions',
      { is: 'words', words: permissionWords },
      {
        hint: `多项用顿号分开：${Object.keys(permissionWords).join('、')}`,
        example: '布置作业、批改作业',
      },
    ),
    column('管理的学校', '', referencesTo('school'), {
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
};

export const studentSheet: SheetFormat = {
  name: '学员',
  also: ['学生', '学员名单', '学生名单', '花名册'],
  kinds: ['student'],
  columns: [
    idColumn,
    nameColumn('姓名', 'nickname', 50, { also: ['学员', '学生', '学员姓名', '学生姓名', '名字'], example: '张三' }),
    column('学号', 'number', codeType, {
      also: ['学籍号', '学生编号'],
      hint: '同一学校内不重复，不能有空格',
      example: '20260001',
    }),
    column('手机号', 'mobile', mobileType, {
      also: ['手机', '学员手机', '学生手机', '联系电话', '电话'],
      hint: '11位手机号',
      example: '13800000002',
    }),
    column('家长手机号', 'guardian_mobile', mobileType, {
      also: ['家长手机', '家长电话', '监护人手机', '父母电话'],
      hint: '11位手机号',
      example: '13800000003',
    }),
    schoolColumn,
  ],
};

export const membershipSheet: SheetFormat = {
  name: '进班',
  also: ['班级成员', '分班', '学员进班', '分班名单'],
  kinds: ['membership'],
  columns: [
    idColumn,
    column('班级', 'class_id', referenceTo('class', 'group_class'), {
      also: ['班级名称'],
      required: true,
      hint: `班级或团课；${nameOrIdHint}`,
      example: '高一（1）班',
    }),
    column('学员', 'student_id', referenceTo('student'), {
      also: ['姓名', '学生', '学号', '学员姓名'],
      required: true,
      hint: '姓名、学号、手机号或编号；有重名时写学号或编号',
      example: '张三',
    }),
    column('加入日期', '', dayType, {
      also: ['进班日期'],
      hint: '不填则为导入当天',
      example: '2026-09-01',
      read: (text, { timeZone }) => (text === clearWord ? {} : { joined_at: dayStart(text, timeZone) }),
      write: ({ fields }, { timeZone }) => dayCell(fields.joined_at, timeZone),
    }),
    column('离开日期', '', dayType, {
      also: ['退班日期'],
      isDecisive: true,
      hint: '在班的最后一天；还在班不填',
      example: '',
      read: (text, { timeZone }) => ({ left_at: text === clearWord ? null : dayEnd(text, timeZone) }),
      // Writes the student's last day in the class, which is the day before `left_at`.
      write: ({ fields }, { timeZone }) => dayCell(fields.left_at, timeZone, 1),
    }),
    column('离开原因', 'left_reason', textType, { hint: '最多100个字', example: '' }),
    column('合同编号', 'contracts_number', codeType, { also: ['合同号'], hint: '只有团课和一对一需要', example: '' }),
    wordColumn('计费方式', 'sign_type', signWords, { example: '' }),
    numberColumn('剩余课时', 'remaining_lessons', { most: 9999 }, { isDecisive: true, example: '' }),
    numberColumn(
      '课时单价',
      'periods_price',
      { decimals: 2, most: 99_999 },
      {
        isDecisive: true,
        hint: '元，最多两位小数',
        example: '',
      },
    ),
    numberColumn('每课时分钟数', 'lesson_minutes', { most: 600 }, { isDecisive: true, example: '' }),
  ],
};
