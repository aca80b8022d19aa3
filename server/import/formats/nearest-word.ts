/** Finds the known word that is closest to a written one, if it is close enough. Numbers never match. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  const plain = normaliseWord(written);
  if (/^\d+$/.test(plain)) return undefined;
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const other = normaliseWord(word);
    const most = Math.max(1, Math.floor(Math.max(plain.length, other.length) / 3));
    const distance = distanceOf(plain, other, most);
    if (distance <= most && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { word, distance };
  }
  return best?.word;
}

/**
 * Like `nearestWord`, among names with the same numbers and letters: 高一（1）班 is not like 初一（1）班 nor 高一（11）班,
 * 高一A班 not like 高一B班, and 文科班 not like 理科班, nor 日语班 like 英语班.
 */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  const signs = distinctiveSigns(written);
  return nearestWord(
    written,
    [...known].filter((name) => distinctiveSigns(name) === signs),
  );
}

/** Level, numbers, Latin letters, and signs like 甲, 日 or 上 in a name, which tell classes apart. */
const distinctiveSigns = (name: string): string =>
  [...normaliseWord(name)]
    .map((sign) => (numerals.includes(sign) ? String(numerals.indexOf(sign) + 1) : sign))
    .filter((sign) => /[\da-z十小初高甲乙丙丁戊己庚辛壬癸文理日英俄德法韩西上下早晚男女]/.test(sign))
    .join('');
const numerals = '一二三四五六七八九';

/** Normalises a heading: removes case, spaces and punctuation. */
export const normaliseWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-*:：.（）()【】[\]]/g, '');

/** Edit distance between two words; if it exceeds `most`, returns `most` + 1. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const exchanged = (before[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      row.push(Math.min(exchanged, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[other.length] ?? most + 1;
}
