/** Names by their sound: how each of their characters may be read, and whether what was typed spells some of them. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Thirty megabytes of readings: only who writes a name needs them, not who looks for one. */
let library: typeof import('pinyin-pro') | undefined;

/** How a character may be read, without tones: `dan/shan/chan`; undefined where it is no Chinese one. */
function readingsOf(character: string): string | undefined {
  if (!/\p{Script=Han}/u.test(character)) return undefined;
  library ??= require('pinyin-pro') as typeof import('pinyin-pro');
  const readings = library.pinyin(character, { multiple: true, toneType: 'none', type: 'array' });
  const known = readings.map((reading) => reading.replaceAll('ü', 'v')).filter((reading) => /^[a-z]+$/.test(reading));
  return known.length > 0 ? [...new Set(known)].join('/') : undefined;
}

/** The readings of each character of a name, `shan/dan/chan xiao`; what is no Chinese character stands for itself. */
export const pinyinOf = (name: string): string =>
  Array.from(name.toLowerCase(), (character) => readingsOf(character) ?? character.replace(' ', '_')).join(' ');

/** Of every character of the basic block: what an engine without these functions knows names by. */
export function allReadings(): [character: string, readings: string][] {
  const all: [string, string][] = [];
  for (let code = 0x4e00; code <= 0x9fff; code += 1) {
    const character = String.fromCodePoint(code);
    const readings = readingsOf(character);
    if (readings) all.push([character, readings]);
  }
  return all;
}

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
