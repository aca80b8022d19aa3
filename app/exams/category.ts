/** The exam classification as one select: every level at once, without script; each category stands below its parent. */
import type { ExamCategory } from '#server/exams/contract.ts';

/** Full-width, so that it is as wide as a character and not folded. */
const indent = '\u3000';

export function categoryChoices(tree: readonly ExamCategory[], level = 0): (readonly [id: number, label: string])[] {
  return tree.flatMap(({ id, name, children }) => [
    [id, indent.repeat(level) + name] as const,
    ...categoryChoices(children, level + 1),
  ]);
}
