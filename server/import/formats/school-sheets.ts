/** Sheets of our own workbook for schools, for grades and categories, and for rooms. */
import {
  column,
  dayType,
  idColumn,
  nameColumn,
  numberColumn,
  referenceTo,
  schoolColumn,
  wordColumn,
} from './workbook-columns.ts';
import type { SheetFormat } from './workbook-types.ts';
import { categoryWords, termKinds, termWords, wordOf } from './workbook-words.ts';

export const schoolSheet: SheetFormat = {
  name: '学校',
  also: ['校区', '学校信息'],
  kinds: ['school'],
  columns: [
    idColumn,
    nameColumn('学校名称', 'name', 30, { also: ['名称', '校区', '学校', '校区名称'], example: '第一网校' }),
  ],
};

export const categorySheet: SheetFormat = {
  name: '年级与分类',
  also: ['分类', '年级', '科目', '年级分类', '基础资料', '分类/年级/科目', '学期'],
  kinds: ['term', 'grade', 'category', 'subject'],
  columns: [
    idColumn,
    wordColumn(
      '类别',
      '',
      { ...categoryWords, ...termKinds },
      {
        also: ['类型'],
        required: true,
        example: '年级',
        read: (text) => (termWords[text] === undefined ? {} : { type: termWords[text] }),
        write: ({ kind, fields }) =>
          kind === 'term' ? (wordOf(termWords, fields.type) ?? '学期') : (wordOf(categoryWords, kind) ?? ''),
      },
    ),
    nameColumn('名称', 'name', 50, { example: '高一' }),
    column('上级', 'parent_id', referenceTo('category', 'term'), {
      also: ['上级分类'],
      hint: '只有分类和学期可以有上级，如学期的学年',
      example: '',
    }),
    column('开始日期', 'first_day', dayType, {
      also: ['第一天'],
      hint: '学年和学期的第一天，如 2026-09-01',
      example: '',
    }),
    column('结束日期', 'last_day', dayType, {
      also: ['最后一天'],
      hint: '学年和学期的最后一天，如 2027-01-20',
      example: '',
    }),
  ],
};

export const roomSheet: SheetFormat = {
  name: '教室',
  also: ['教室列表'],
  kinds: ['room'],
  columns: [
    idColumn,
    schoolColumn,
    nameColumn('教室名称', 'name', 50, { also: ['教室', '名称'], example: 'A101' }),
    numberColumn('座位数', 'seats', { most: 9999 }, { also: ['座位', '容量'], example: '40' }),
  ],
};
