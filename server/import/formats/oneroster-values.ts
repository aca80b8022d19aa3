/** Parses the cells of a OneRoster row according to the types of their columns. */

import { isDay, isYear } from '#server/platform/calls/rules.ts';
import { importedTextLimit, importMessages } from '../rules.ts';
import type { Remarks } from './diagnostics.ts';
import { nearestWord, normaliseWord } from './nearest-word.ts';
import { type Column, idLimit, isId } from './oneroster-format.ts';
import type { TableMode } from './oneroster-package.ts';
import { isScientific, type ParsedValue, readBoolean, readDay, scientificMessage, toHalfWidth } from './values.ts';

interface ValueContext {
  mode: TableMode;
  place: { file: string; row: number };
  remarks: Remarks;
  isMissing: boolean;
}

/** Returns the value in the standard's notation; '' if it is missing or refused. */
export function readValueOf(column: Column, cell: string, { mode, place, remarks, isMissing }: ValueContext): string {
  const { name } = column;
  const text = cell.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  if (name === 'status' || name === 'dateLastModified')
    return bookkeeping(column, text, { mode, place, remarks, isMissing });
  if (text === '') {
    if (column.required) remarks.reject(place, name, `“${name}”必须填写`);
    return '';
  }
  if (text.length > importedTextLimit) {
    remarks.reject(place, name, importMessages.text);
    return '';
  }
  if (text !== cell && !isFreeText(column) && !/[\r\n]/.test(cell))
    remarks.forgive(place, name, `“${text}”前后有空格，已按“${text}”读取`);
  const parsed = column.isList ? listOf(column, text) : readValue(column, text);
  if ('fault' in parsed) {
    remarks.reject(place, name, parsed.fault);
    return '';
  }
  if (parsed.note !== undefined) remarks.forgive(place, name, parsed.note);
  return parsed.value;
}

/** True for types in which leading and trailing spaces belong to the value. */
const isFreeText = ({ type }: Column): boolean => type === 'text' || type === 'words' || type === 'pairs';

/** Checks `status` and `dateLastModified`, which must be empty in bulk files and present in delta files. */
function bookkeeping(column: Column, text: string, { mode, place, remarks, isMissing }: ValueContext): string {
  const { name } = column;
  if (mode === 'bulk') {
    if (text === '') return '';
    remarks.forgive(
      place,
      name,
      name === 'status' ? `完整名单（bulk）中“status”应为空，这里是“${text}”` : `完整名单（bulk）中“${name}”应为空`,
    );
    return name === 'status' ? (readStatus(text) ?? '') : '';
  }
  if (text === '') {
    if (!isMissing)
      remarks.forgive(place, name, `变更（delta）中“${name}”必须填写${name === 'status' ? '，已按 active 读取' : ''}`);
    return '';
  }
  if (name === 'dateLastModified') {
    if (!isMoment(text)) remarks.forgive(place, name, `“${text}”应为 2026-09-01T08:00:00.000Z 的形式`);
    return text;
  }
  const status = readStatus(text);
  if (status === undefined) remarks.reject(place, name, `“${text}”应为 active 或 tobedeleted`);
  else if (status !== text) remarks.forgive(place, name, `“${text}”已按 ${status} 读取`);
  return status ?? '';
}

function readStatus(text: string): 'active' | 'tobedeleted' | undefined {
  const word = text.toLowerCase();
  if (word === 'active') return 'active';
  // Words for `status` in OneRoster 1.0 and 1.1.
  return word === 'tobedeleted' || word === 'inactive' ? 'tobedeleted' : undefined;
}

const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/.test(text) && isDay(text.slice(0, 10));

function listOf(column: Column, text: string): ParsedValue<string> {
  const notes: string[] = [];
  const values: string[] = [];
  for (const part of text.split(',')) {
    const parsed = readValue(column, part.trim());
    if ('fault' in parsed) return parsed;
    if (parsed.note !== undefined) notes.push(parsed.note);
    if (parsed.value !== '') values.push(parsed.value);
  }
  const value = values.join(',');
  return notes.length > 0 ? { value, note: notes.join('；') } : { value };
}

function readValue({ type, words, name }: Column, text: string): ParsedValue<string> {
  switch (type) {
    case 'id':
      return readId(text);
    case 'word':
      return readWord(text, words);
    case 'date':
      return readDay(text);
    case 'year': {
      const year = toHalfWidth(text);
      if (!isYear(year)) return { fault: `“${text}”应为四位数的年份` };
      return year === text ? { value: year } : { value: year, note: `“${text}”已按 ${year} 读取` };
    }
    case 'boolean': {
      const parsed = readBoolean(text);
      return 'fault' in parsed ? parsed : { ...parsed, value: String(parsed.value) };
    }
    case 'number':
      return Number.isFinite(Number(text)) && !isScientific(text) ? { value: text } : { fault: `“${text}”不是数字` };
    case 'pairs':
      return /^\{[^{}:]+:[^{}]*\}(?:,\s*\{[^{}:]+:[^{}]*\})*$/.test(text)
        ? { value: text }
        : { value: '', note: `“${text}”应为 {类型:编号} 的形式，没有读取` };
    case 'moment':
    case 'words':
      return { value: text };
    case 'text':
      return ['sms', 'phone', 'identifier', 'username'].includes(name) && isScientific(text)
        ? { fault: scientificMessage(text) }
        : { value: text };
  }
}

function readId(text: string): ParsedValue<string> {
  if (isId(text)) return { value: text };
  if (isScientific(text)) return { fault: scientificMessage(text) };
  if (text.length > idLimit) return { fault: `编号超过${idLimit}个字符` };
  const half = toHalfWidth(text);
  if (isId(half)) return { value: half, note: `“${text}”：全角字符已按半角读取` };
  return { value: text, note: `编号“${text}”含有标准不允许的字符，已照常读取` };
}

function readWord(text: string, words: readonly string[]): ParsedValue<string> {
  if (words.includes(text) || /^ext:[\w.-]+$/.test(text)) return { value: text };
  const same = words.find((word) => normaliseWord(word) === normaliseWord(text));
  if (same !== undefined) return { value: same, note: `“${text}”已按 ${same} 读取` };
  const like = nearestWord(text, words);
  return { fault: `“${text}”应为 ${words.join('、')} 之一${like ? `，是否应为 ${like}` : ''}` };
}
