/** Highlights a search term in a text: the matching substring, or the characters whose pinyin matched. */
interface MarkedProps {
  text: string;
  wanted: string;
  /** Range of the match in characters, end exclusive. */
  spelled?: readonly [from: number, to: number] | null;
}

export function Highlight({ text, wanted, spelled }: MarkedProps) {
  const [from, to] = spelled ? unitsOf(text, spelled) : placeOf(text, wanted);
  if (from === to) return text;
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

function placeOf(text: string, wanted: string): [from: number, to: number] {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 ? [0, 0] : [at, at + wanted.length];
}

/** Converts a range of characters to UTF-16 units, because some characters take two units. */
function unitsOf(text: string, [from, to]: readonly [number, number]): [from: number, to: number] {
  const lengthOf = (count: number) => Array.from(text).slice(0, count).join('').length;
  return [lengthOf(from), lengthOf(to)];
}

/** Number of characters shown before and after the match. */
const excerptMargins = { before: 24, after: 80 };

/** Returns an excerpt of a long text around the match. */
export function excerptOf(text: string, wanted: string): string {
  const [from] = placeOf(text, wanted);
  const start = Math.max(0, from - excerptMargins.before);
  const end = from + wanted.length + excerptMargins.after;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
