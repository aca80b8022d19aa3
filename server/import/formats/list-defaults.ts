/** Fills empty cells of an imported list of people with the defaults that the user chose for the whole list. */
import { pinyinOf } from '#server/platform/text/pinyin.ts';
import type { ListUsername } from '../rules.ts';
import type { Mapping } from '../source-record.ts';
import type { PeopleTable } from './people-mapping.ts';
import { readMobile } from './values.ts';
import type { SheetHeads } from './workbook.ts';
import type { SheetCell, SheetRow } from './workbook-file.ts';
import type { SheetFormat } from './workbook-types.ts';
import { identityOf } from './workbook-words.ts';

export const defaultMessages = {
  identity: (text: string, own: string) => `“${text}”不知道是什么身份，已按“${own}”读取，请核对`,
  noMobile: '没有手机号，不能作为用户名，请填写用户名',
  noName: '没有姓名，不能生成用户名，请填写用户名',
} as const;

/** Returns the list with an additional column for each chosen value, and the headings that point to these columns. */
export function withDefaults(
  list: PeopleTable,
  { format, heads, mapping }: { format: SheetFormat; heads: SheetHeads; mapping: Mapping },
): { list: PeopleTable; heads: SheetHeads } {
  const placeOf = (head: string) => heads.places[format.columns.findIndex((column) => column.head === head)] ?? -1;
  const added = defaultsOf(mapping, placeOf);
  if (added.length === 0) return { list, heads };
  let width = 0;
  for (const { cells } of list.rows()) width = Math.max(width, cells.length);
  return {
    list: {
      ...list,
      *rows() {
        for (const row of list.rows()) {
          const isEmpty = row.cells.every(({ text }) => text === '');
          const padded = Array.from({ length: width }, (_, at) => row.cells[at] ?? cellOf(''));
          const more = isEmpty ? [] : added.map(({ cell }) => cell(row));
          yield { ...row, cells: [...padded, ...more] };
        }
      },
    },
    heads: {
      ...heads,
      places: heads.places.map((place, index) => {
        const at = added.findIndex(({ head }) => head === format.columns[index]?.head);
        return at < 0 ? place : width + at;
      }),
    },
  };
}

interface Default {
  head: string;
  /** Returns the cell of the file, or the chosen value if the cell is empty. */
  cell(row: SheetRow): SheetCell;
}

function defaultsOf(
  { kind, school, identity, username }: Mapping,
  placeOf: (head: string) => number,
): readonly Default[] {
  const written = ({ cells }: SheetRow, head: string): SheetCell => cells[placeOf(head)] ?? cellOf('');
  const added: Default[] = [];
  if (school !== undefined)
    added.push({
      head: '学校',
      cell: (row) => (written(row, '学校').text === '' ? cellOf(school) : written(row, '学校')),
    });
  if (kind === 'staff' && identity !== undefined)
    added.push({
      head: '身份',
      cell(row) {
        const own = written(row, '身份');
        if (identityOf(own.text) !== undefined) return own;
        return cellOf(identity, own.text === '' ? {} : { doubt: defaultMessages.identity(own.text, identity) });
      },
    });
  if (kind === 'staff' && username !== undefined)
    added.push({
      head: '用户名',
      cell(row) {
        const own = written(row, '用户名');
        if (own.text !== '') return own;
        const made = madeUsername(username, written(row, '姓名').text, written(row, '手机号').text);
        return cellOf(made.value, made.fault === undefined ? {} : { fault: made.fault });
      },
    });
  return added;
}

const cellOf = (text: string, more: Pick<SheetCell, 'doubt' | 'fault'> = {}): SheetCell => ({
  text,
  isFormula: false,
  isMerged: false,
  ...more,
});

function madeUsername(from: ListUsername, name: string, mobile: string): { value: string; fault?: string } {
  const read = readMobile(mobile);
  const digits = 'value' in read ? read.value : '';
  if (from === 'mobile') return digits === '' ? { value: '', fault: defaultMessages.noMobile } : { value: digits };
  const letters = pinyinUsername(name);
  return letters === '' ? { value: '', fault: defaultMessages.noName } : { value: letters + digits.slice(-4) };
}

/** Characters that are read differently as a surname. */
const surnames: Readonly<Record<string, string>> = {
  单: 'shan',
  曾: 'zeng',
  仇: 'qiu',
  解: 'xie',
  查: 'zha',
  任: 'ren',
  区: 'ou',
  朴: 'piao',
  翟: 'zhai',
  盖: 'ge',
};

/** User name from a name in pinyin: 王丽 becomes wangli. If a character has several readings, the first is used. */
function pinyinUsername(name: string): string {
  const characters = [...name.normalize('NFKC').replace(/[\s·•.]/g, '')];
  return characters
    .map((character, at) => (at === 0 && surnames[character]) || (pinyinOf(character).split('/')[0] ?? ''))
    .join('')
    .toLowerCase();
}
