/**
 * Options of exam questions, and the matching question (type 4 whose options stand in two columns): its answer is
 * comma-separated pairs of option ids, left-right: `1-4,2-6,3-5`. As a set of such pairs it is scored by the rule of
 * the other choices (homework/scoring.ts). Pure, and also for the browser.
 */

export interface ExamOption {
  id: number;
  /** HTML. */
  content: string;
  /** 1 right, 2 wrong; in a matching question always 2, for pairs are right or wrong there. */
  is_right: 1 | 2;
  /** Only in a matching question. */
  side?: 'left' | 'right';
}

/** Options as they are stored or were sent: JSON text or a list. What is none is left out; never fails. */
export function examOptions(stored: unknown): ExamOption[] {
  const list = typeof stored === 'string' ? parsedJson(stored) : stored;
  if (!Array.isArray(list)) return [];
  return list.flatMap((option: unknown): ExamOption[] => {
    if (typeof option !== 'object' || option === null) return [];
    const { id, content, is_right, side } = option as Record<string, unknown>;
    if (!Number.isInteger(Number(id))) return [];
    return [
      {
        id: Number(id),
        content: typeof content === 'string' ? content : '',
        is_right: Number(is_right) === 1 ? 1 : 2,
        ...(side === 'left' || side === 'right' ? { side } : {}),
      },
    ];
  });
}

/** JSON text taken apart, undefined where it is broken. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isMatching = (options: readonly ExamOption[]): boolean =>
  options.some((option) => option.side === 'left') && options.some((option) => option.side === 'right');

/** The pairs of a matching answer, by ids; what is no pair is left out. */
export function matchingPairs(answer: string): { left: number; right: number }[] {
  return answer.split(',').flatMap((pair) => {
    const [, left, right] = /^\s*(\d+)-(\d+)\s*$/.exec(pair) ?? [];
    return left && right ? [{ left: Number(left), right: Number(right) }] : [];
  });
}

/** A, B, …; in a matching question the left column counts 1, 2, … and the right one A, B, …. */
export function optionLabel(options: readonly ExamOption[], id: number): string {
  const option = options.find((one) => one.id === id);
  const column = options.filter((one) => one.side === option?.side);
  const place = option ? column.indexOf(option) : -1;
  if (place < 0) return String(id);
  return option?.side === 'left' ? String(place + 1) : String.fromCharCode(65 + place);
}

/** A chosen option or pair as people read it: `B`, or `1–C`. */
export function choiceLabel(options: readonly ExamOption[], choice: string): string {
  const [pair] = matchingPairs(choice);
  if (pair) return `${optionLabel(options, pair.left)}–${optionLabel(options, pair.right)}`;
  return /^\d+$/.test(choice) ? optionLabel(options, Number(choice)) : choice;
}
