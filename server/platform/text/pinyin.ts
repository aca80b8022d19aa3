/** Names by their sound: how each of their characters may be read, and whether what was typed spells some of them. */
import { readFileSync } from 'node:fs';

let known: Map<string, string> | undefined;

/**
 * How Chinese characters may be read, without tones: `dan/shan/chan`. The file has what the package pinyin-pro knows,
 * which takes thirty megabytes to say it: every process of a school writes names.
 */
function knownReadings(): Map<string, string> {
  if (known) return known;
  const text = readFileSync(new URL('./readings.json', import.meta.url), 'utf8');
  const characters = Object.entries(JSON.parse(text) as Record<string, string>);
  known = new Map(characters.flatMap(([readings, all]) => Array.from(all, (character) => [character, readings])));
  return known;
}

/** The readings of each character of a name, `shan/dan/chan xiao`; what is no Chinese character stands for itself. */
export const pinyinOf = (name: string): string =>
  Array.from(name.toLowerCase(), (character) => knownReadings().get(character) ?? character.replace(' ', '_')).join(
    ' ',
  );

/** Of every character of the basic block: what an engine without these functions knows names by. */
export const allReadings = (): [character: string, readings: string][] =>
  [...knownReadings()].filter(([character]) => character >= '\u4e00' && character <= '\u9fff');

/** What somebody types who spells a name; undefined where it is none. */
export function spelling(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll('ü', 'v').replace(/[\s']/g, '');
  return /^[a-z]{1,40}$/.test(letters) ? letters : undefined;
}

/**
 * Which characters of a name are spelled, from the first to behind the last: by initials (`ql`), in full (`qianlin`), or
 * some of each (`qianl`), the last as far as it goes. `pinyin` is what `pinyinOf` made of the name.
 */
export function spelledBy(pinyin: string, letters: string): [from: number, to: number] | undefined {
  const characters = pinyin.split(' ').map((readings) => readings.split('/'));
  for (let from = 0; from < characters.length; from += 1) {
    const to = spelledFrom(characters, from, letters);
    if (to !== undefined) return [from, to];
  }
  return undefined;
}

/** Behind the last character that the letters spell from here on. */
function spelledFrom(characters: string[][], at: number, letters: string): number | undefined {
  if (letters === '') return at;
  for (const reading of characters[at] ?? []) {
    if (reading.startsWith(letters)) return at + 1;
    for (const part of [reading, /^[zcs]h/.exec(reading)?.[0], reading[0]]) {
      if (!part || !letters.startsWith(part)) continue;
      const to = spelledFrom(characters, at + 1, letters.slice(part.length));
      if (to !== undefined) return to;
    }
  }
  return undefined;
}
