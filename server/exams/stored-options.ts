import type { ExamOption } from './rules.ts';

/** Parses the options of an exam question, from JSON text or from a list. Never fails: invalid entries are dropped. */
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

/** Parses JSON; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
