/** Names the lines of a paper that are in no question. */
import type { ImportNote } from '../imported-question.ts';
import { isBlankLine, type Line, plainText } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import type { LeftOver } from './draft.ts';
import { lineName, secondFileOffset } from './facts.ts';

/** One note for each run of lines that are in no question. */
export function leftOutNotes({ lines, attempts }: LeftOver): ImportNote[] {
  const filled = [...lines].filter((line) => !isBlankLine(line)).sort((one, other) => one.number - other.number);
  const runs: Line[][] = [];
  for (const line of filled) {
    const run = runs.at(-1);
    const before = run?.at(-1)?.number;
    if (run && before !== undefined && line.number - before <= 2) run.push(line);
    else runs.push([line]);
  }
  const notes = runs.map((run): ImportNote => {
    const [first, last] = [run[0]?.number ?? 0, run.at(-1)?.number ?? 0];
    const where =
      first === last
        ? lineName(first)
        : `${lineName(first).replace(/行$/, '')}～${last > secondFileOffset ? last - secondFileOffset : last}行`;
    return { where, message: paperMessages.leftOut(quote(plainText(run))) };
  });
  if (attempts.length > 0) notes.push({ where: lineName(attempts[0] ?? 1), message: paperMessages.attempts });
  return notes;
}

function quote(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  if (characters.length === 0) return '图片或表格';
  return characters.length > 30 ? `${characters.slice(0, 30).join('')}…` : characters.join('');
}
