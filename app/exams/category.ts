/**
 * The exam classification as nested selects that need no script: one for each level down to the chosen category, and
 * one for what lies below it. The first is named `classify_id`, one below category 7 `classify_7`, so that a choice
 * below a category counts only while that category is chosen.
 */
import type { ExamCategory } from '#server/exams/contract.ts';

/** From the top to the category that an address names; empty for none. */
export function chosenCategories(tree: readonly ExamCategory[], params: URLSearchParams): ExamCategory[] {
  const path = pathTo(tree, params.get('classify_id'));
  for (let last = path.at(-1); last; ) {
    const next: string | null = params.get(`classify_${last.id}`);
    last = last.children.find(({ id }) => String(id) === next);
    if (last) path.push(last);
  }
  return path;
}

function pathTo(tree: readonly ExamCategory[], id: string | null): ExamCategory[] {
  for (const category of tree) {
    if (String(category.id) === id) return [category];
    const below = pathTo(category.children, id);
    if (below.length > 0) return [category, ...below];
  }
  return [];
}

export interface CategoryLevel {
  /** Of the select. */
  name: string;
  choices: readonly ExamCategory[];
  value: number | undefined;
}

export function categoryLevels(tree: readonly ExamCategory[], path: readonly ExamCategory[]): CategoryLevel[] {
  const levels: CategoryLevel[] = [{ name: 'classify_id', choices: tree, value: path[0]?.id }];
  for (const [index, category] of path.entries()) {
    if (category.children.length === 0) break;
    levels.push({ name: `classify_${category.id}`, choices: category.children, value: path[index + 1]?.id });
  }
  return levels;
}
