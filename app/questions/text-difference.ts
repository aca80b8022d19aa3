/** Finds what differs between two texts, to mark it. */

export interface Run {
  text: string;
  isDifferent: boolean;
}

/** Maximum number of compared places; longer texts are marked from the first difference to the last. */
const maxPlaces = 250_000;

/** Returns both texts as runs that are the same or different, by the longest common subsequence of their characters. */
export function textDifference(one: string, other: string): [Run[], Run[]] {
  const [left, right] = [[...one], [...other]];
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const middles = [left, right].map((text) => text.slice(start, text.length - end));
  const [ofLeft, ofRight] = differing(middles[0] ?? [], middles[1] ?? []);
  const marks = (own: boolean[]) => [...Array(start).fill(false), ...own, ...Array(end).fill(false)];
  return [runsOf(left, marks(ofLeft)), runsOf(right, marks(ofRight))];
}

/** Returns for each character whether it differs. */
function differing(left: readonly string[], right: readonly string[]): [boolean[], boolean[]] {
  const marks: [boolean[], boolean[]] = [left.map(() => true), right.map(() => true)];
  if (left.length * right.length > maxPlaces) return marks;
  const width = right.length + 1;
  // Length of the longest common subsequence of the rest of both texts.
  const lengths = new Uint16Array((left.length + 1) * width);
  const lengthAt = (at: number, to: number): number => lengths[at * width + to] ?? 0;
  for (let at = left.length - 1; at >= 0; at -= 1) {
    for (let to = right.length - 1; to >= 0; to -= 1) {
      lengths[at * width + to] =
        left[at] === right[to] ? lengthAt(at + 1, to + 1) + 1 : Math.max(lengthAt(at + 1, to), lengthAt(at, to + 1));
    }
  }
  for (let at = 0, to = 0; at < left.length && to < right.length; ) {
    if (left[at] === right[to]) {
      marks[0][at] = false;
      marks[1][to] = false;
      at += 1;
      to += 1;
    } else if (lengthAt(at + 1, to) >= lengthAt(at, to + 1)) at += 1;
    else to += 1;
  }
  return marks;
}

function runsOf(text: readonly string[], marks: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  for (const [at, character] of text.entries()) {
    const isDifferent = marks[at] === true;
    const last = runs.at(-1);
    if (last?.isDifferent === isDifferent) last.text += character;
    else runs.push({ text: character, isDifferent });
  }
  return runs;
}
