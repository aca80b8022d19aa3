/** Options of exam questions as they are kept or were sent. */
import type { ExamOption } from './rules.ts';

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
