/** Finds the places of a paper where an answer key may begin. */
import { isTable } from '../rich-line.ts';
import type { Fact } from './facts.ts';

/** Titles such as 参考答案, 期末考试答案及评分标准, Answer Key. */
const keyTitle =
  /^[\s\u3000【（(《]*(?:附[:：]?)?.{0,40}?(?:参考答案|标准答案|答案与解析|答案及解析|答案及评分|评分标准|评分参考|答案解析|答案部分|试题答案|答案)[^A-Za-z0-9√×]{0,16}$|^[\s\u3000]*(?:Answer\s*Keys?|Keys?|Answers?)[\s\u3000]*[:：]?$/i;

/** A row of answers with a label, which may begin the key: `答案：1-5 ABCDA`. */
const keyRowLabel = /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案|Keys?|Answers?)/i;

/** Numbered answers behind a label: `答案：三、1. is 2. are`, `答案：13．√2　14．1`. */
const keyLabel =
  /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案)[】]?[\s\u3000]*[:：]?[\s\u3000]*(?:[一二三四五六七八九十]{1,3}、[\s\u3000]*)?\d{1,3}[\s\u3000]*[.．、~～—–-]/;

/** Lines that may begin the answer key: titles with 答案, behind the first question. */
export function keyPlaces(facts: readonly Fact[]): number[] {
  const places = facts.flatMap((fact, at) => {
    if (at > 0 && (keyLabel.test(fact.text) || (fact.isKeyRow && keyRowLabel.test(fact.text)))) return [at];
    if (fact.isBlank || fact.text.length > 60 || fact.number || !keyTitle.test(fact.text) || at === 0) return [];
    const next = facts.slice(at + 1, at + 8).find((other) => !other.isBlank);
    const isKey =
      next &&
      (next.heading || next.number || next.isKeyRow || isTable(next.line) || /^[A-H√×\s]+$|^\s*题号/.test(next.text));
    return isKey ? [at] : [];
  });
  return [...new Set([...places.slice(0, 1), ...places.slice(-(maxKeyPlaces - 1))])];
}

/** True if the line that begins a key has answers itself. */
export const hasAnswers = (fact: Fact | undefined): boolean =>
  fact !== undefined && (fact.isKeyRow || keyLabel.test(fact.text));

/** Maximum number of places where the answer key is tried. */
const maxKeyPlaces = 3;

/** Removes the rows of answers under a title above all questions. */
export function takeFrontKey(facts: readonly Fact[]): { facts: readonly Fact[]; front: readonly Fact[] } {
  const isRow = (fact: Fact) => isTable(fact.line) || fact.isKeyRow || fact.isBlank;
  const begin = facts.findIndex((fact) => !fact.isBlank && (keyTitle.test(fact.text) || fact.number || fact.heading));
  const title = facts[begin];
  const end = facts.findIndex((fact, at) => at > begin && !isRow(fact));
  const front = facts.slice(begin + 1, end);
  if (!title || title.number || !keyTitle.test(title.text) || end === -1 || front.every((fact) => fact.isBlank))
    return { facts, front: [] };
  return { facts: [...facts.slice(0, begin), ...facts.slice(end)], front };
}

/** Matches a title alone in its line, with answers after it. */
const isKeyTitle = (fact: Fact): boolean =>
  !fact.isBlank && !fact.number && fact.text.trim().length <= 20 && keyTitle.test(fact.text) && !fact.isKeyRow;

/**
 * Splits a paper of several units after the answer key of each. Undefined with fewer than two keys, or without the
 * heading of a unit between them.
 */
export function unitsOf(facts: readonly Fact[]): (readonly Fact[])[] | undefined {
  const keys = facts.flatMap((fact, at) => (isKeyTitle(fact) ? [at] : []));
  if (keys.length < 2) return undefined;
  const starts = [0];
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const next = keys[index + 1] ?? facts.length;
    const start = facts.findIndex((fact, at) => at > key && at < next && fact.heading?.rank === 0);
    if (start === -1) return undefined;
    starts.push(start);
  }
  return starts.map((start, index) => facts.slice(start, starts[index + 1]));
}
