/** Columns of a list of people, and what other systems call them. */
import type { Mapping } from '../source-record.ts';
import { normaliseWord } from './nearest-word.ts';
import { sheetFormats } from './workbook-format.ts';
import type { SheetColumn, SheetFormat, SheetName } from './workbook-types.ts';

export const formatOf = (name: SheetName): SheetFormat => {
  const format = sheetFormats.find((one) => one.name === name);
  if (!format) throw new Error(`No sheet ${name}`);
  return format;
};

/** Heading of the class column, which lists of students often have. */
export const classHead = '班级';

const columnsOf = (kind: Mapping['kind']): readonly SheetColumn[] =>
  formatOf(kind === 'student' ? '学员' : '人员').columns;

/** Headings of our own workbook that a column of a list can be assigned to. */
export const listChoices: Readonly<Record<Mapping['kind'], readonly string[]>> = {
  student: [...columnsOf('student').map(({ head }) => head), classHead],
  staff: columnsOf('staff').map(({ head }) => head),
};

/** Returns the columns that a list must have. */
export const requiredColumns = (kind: Mapping['kind']): string[] =>
  columnsOf(kind).flatMap(({ head, required }) => (required ? [head] : []));

/** Names that other systems use for these columns. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  编号: ['id', 'userid', 'studentid', 'sourcedid', '序列号'],
  姓名: ['name', 'fullname', 'realname', 'studentname', 'nickname', '真实姓名'],
  学号: ['number', 'studentnumber', 'studentno', 'no', '学籍', '考号', '准考证号'],
  手机号: [
    'mobile',
    'phone',
    'tel',
    'cell',
    'cellphone',
    'mobilephone',
    'phonenumber',
    '手机号码',
    '联系方式',
    '本人电话',
  ],
  家长手机号: [
    'parentphone',
    'parentmobile',
    'guardianmobile',
    'guardianphone',
    '家长手机号码',
    '家长联系电话',
    '家长联系方式',
    '母亲电话',
    '父亲电话',
    '监护人电话',
  ],
  学校: ['school', 'campus', 'org', '就读学校'],
  班级: ['class', 'classname', '行政班', '所在班级', '班别'],
  身份: ['role', 'identity', 'type', '职务', '人员类型'],
  用户名: ['username', 'account', 'login', 'loginname', 'userno', '工号'],
  权限: ['permissions'],
};

const wordsOf = (head: string, also: readonly string[] = []): string[] =>
  [head, ...also, ...(otherWords[head] ?? [])].map(normaliseWord);

export const knownWords = new Map<Mapping['kind'], readonly { head: string; words: string[] }[]>(
  (['student', 'staff'] as const).map((kind) => [
    kind,
    [
      ...columnsOf(kind).map(({ head, also }) => ({ head, words: wordsOf(head, also) })),
      ...(kind === 'student' ? [{ head: classHead, words: wordsOf(classHead, ['班级名称']) }] : []),
    ],
  ]),
);

export const plainHead = (text: string): string => normaliseWord(text.replace(/[*＊]|[（(](?:必填|选填)[)）]/g, ''));

export const isClassHead = (text: string): boolean =>
  knownWords.get('student')?.some(({ head, words }) => head === classHead && words.includes(plainHead(text))) ?? false;

export const isKnownHead = (text: string): boolean =>
  [...knownWords.values()].some((known) => known.some(({ words }) => words.includes(plainHead(text))));
