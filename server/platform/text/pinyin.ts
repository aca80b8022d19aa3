/** Pinyin: readings of the characters of names, and matching of typed letters against them. */
import { readFileSync } from 'node:fs';

let known: Map<string, string> | undefined;

/**
 * Readings of each Chinese character without tones: `dan/shan/chan`. The file is generated from the package pinyin-pro,
 * which would take 30 MB in every process.
 */
function knownReadings(): Map<string, string> {
  if (known) return known;
  const text = readFileSync(new URL('./readings.json', import.meta.url), 'utf8');
  const characters = Object.entries(JSON.parse(text) as Record<string, string>);
  known = new Map(characters.flatMap(([readings, all]) => Array.from(all, (character) => [character, readings])));
  return known;
}

/**
 * Returns the readings of a name, character by character: `shan/dan/chan xiao`. A character without a reading stays
 * unchanged.
 */
export const pinyinOf = (name: string): string =>
  Array.from(name.toLowerCase(), (character) => knownReadings().get(character) ?? character.replace(' ', '_')).join(
    ' ',
  );

/**
 * Returns the readings of all characters in Unicode's basic Chinese block, for a database that cannot call `pinyinOf`.
 */
export const allPinyinReadings = (): [character: string, readings: string][] =>
  [...knownReadings()].filter(([character]) => character >= '\u4e00' && character <= '\u9fff');

/** Returns the letters of a typed text if they can be pinyin; otherwise undefined. */
export function pinyinLetters(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll('ü', 'v').replace(/[\s']/g, '');
  return /^[a-z]{1,40}$/.test(letters) ? letters : undefined;
}

/**
 * Finds the characters of a name that the letters spell: by initials (`ql`), in full (`qianlin`) or mixed (`qianl`);
 * the last syllable may be incomplete. Returns their range, end exclusive. `pinyin` comes from `pinyinOf`.
 */
export function findPinyinMatch(pinyin: string, letters: string): [from: number, to: number] | undefined {
  const characters = pinyin.split(' ').map((readings) => readings.split('/'));
  for (let from = 0; from < characters.length; from += 1) {
    const to = matchFrom(characters, from, letters);
    if (to !== undefined) return [from, to];
  }
  return undefined;
}

/**
 * Returns the index after the last character that the letters spell, beginning at `at`; undefined if they spell nothing
 * there.
 */
function matchFrom(characters: string[][], at: number, letters: string): number | undefined {
  if (letters === '') return at;
  for (const reading of characters[at] ?? []) {
    if (reading.startsWith(letters)) return at + 1;
    for (const part of [reading, /^[zcs]h/.exec(reading)?.[0], reading[0]]) {
      if (!part || !letters.startsWith(part)) continue;
      const to = matchFrom(characters, at + 1, letters.slice(part.length));
      if (to !== undefined) return to;
    }
  }
  return undefined;
}
