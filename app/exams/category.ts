/** Options of the exam category select: one flat list in which each child category is indented below its parent. */
import type { ExamCategory } from '#server/exams/contract.ts';

/** A full-width space, because HTML would collapse ordinary spaces. */
const indent = '\u3000';

export function categoryChoices(tree: readonly ExamCategory[], level = 0): (readonly [id: number, label: string])[] {
  return tree.flatMap(({ id, name, children }) => [
    [id, indent.repeat(level) + name] as const,
    ...categoryChoices(children, level + 1),
  ]);
}
