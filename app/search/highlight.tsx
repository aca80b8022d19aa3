/** A text with what was looked for marked in it: where it stands, or the characters that were spelled. */
interface MarkedProps {
  text: string;
  wanted: string;
  /** Characters, from the first to behind the last. */
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

/** Characters beyond the basic plane are two units of a text. */
function unitsOf(text: string, [from, to]: readonly [number, number]): [from: number, to: number] {
  const lengthOf = (count: number) => Array.from(text).slice(0, count).join('').length;
  return [lengthOf(from), lengthOf(to)];
}

/** Characters before and after what is marked. */
const around = { before: 24, after: 80 };

/** As much of a long text as shows what was looked for. */
export function excerptOf(text: string, wanted: string): string {
  const [from] = placeOf(text, wanted);
  const start = Math.max(0, from - around.before);
  const end = from + wanted.length + around.after;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
