/** The tree of catalogue entries: order and levels. */
import type { TermType } from './rules.ts';

/** Common shape of the rows of all catalogues. A column that a table does not have is empty. */
export interface Entry {
  id: number;
  name: string;
  sort: number;
  parent_id: number | null;
  school_id: number | null;
  seats: number;
  /** Type and days of a term; '' for other catalogues. */
  type: TermType | '';
  first_day: string;
  last_day: string;
  put_away_at: number | null;
}

/** An entry in the tree. `depth`: number of its ancestors. */
export type EntryWithDepth = Entry & { depth: number };

/**
 * Sorts entries depth-first: each entry is followed by its children. An entry whose parent does not exist is a root.
 */
export function sortTree(entries: readonly Entry[]): EntryWithDepth[] {
  const ids = new Set(entries.map(({ id }) => id));
  const below = new Map<number, Entry[]>();
  for (const entry of entries) {
    const parent = entry.parent_id !== null && ids.has(entry.parent_id) ? entry.parent_id : 0;
    below.set(parent, [...(below.get(parent) ?? []), entry]);
  }
  const follow = (parent: number, depth: number): EntryWithDepth[] =>
    (below.get(parent) ?? [])
      .sort((one, other) => (one.school_id ?? 0) - (other.school_id ?? 0) || one.sort - other.sort || one.id - other.id)
      .flatMap((entry) => [{ ...entry, depth }, ...follow(entry.id, depth + 1)]);
  return follow(0, 0);
}

type Level = Pick<Entry, 'parent_id' | 'school_id'>;

/** Returns the entries of one level (siblings). Names are unique within a level, and `sort` gives its order. */
export const siblingsAt = <One extends Level>(entries: readonly One[], level: Level): One[] =>
  entries.filter(({ parent_id, school_id }) => parent_id === level.parent_id && school_id === level.school_id);

/** True if the entry `id` is the entry `other` or is below it. */
export function isWithin(entries: readonly Entry[], id: number, other: number): boolean {
  const parents = new Map(entries.map((entry) => [entry.id, entry.parent_id]));
  const seen = new Set<number>();
  for (let at: number | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === other) return true;
    seen.add(at);
  }
  return false;
}

/** Returns the id of the previous entry on the same level; 0 if the entry is the first. */
export function previousSibling(entries: readonly Entry[], entry: Pick<Entry, 'id'> & Level): number {
  const level = siblingsAt(entries, entry);
  return level[level.findIndex(({ id }) => id === entry.id) - 1]?.id ?? 0;
}

/** Moves entry `id` behind `after` on its level; `after` 0 makes it the first. */
export function moveBehind(entries: readonly Entry[], id: number, after: number): EntryWithDepth[] {
  const moved = entries.find((entry) => entry.id === id);
  if (!moved) return sortTree(entries);
  const level = siblingsAt(entries, moved).filter((entry) => entry.id !== id);
  const at = level.findIndex((entry) => entry.id === after) + 1;
  const ordered = [...level.slice(0, at), moved, ...level.slice(at)];
  const place = new Map(ordered.map((entry, index): [number, number] => [entry.id, index]));
  return sortTree(entries.map((entry) => ({ ...entry, sort: place.get(entry.id) ?? entry.sort })));
}

/** Numbers the entries from 1 and returns only those whose `sort` changed. */
export const changedSorts = (ordered: readonly Entry[], stored: readonly Entry[]): { id: number; sort: number }[] => {
  const sorts = new Map(stored.map(({ id, sort }) => [id, sort]));
  return ordered.map(({ id }, index) => ({ id, sort: index + 1 })).filter(({ id, sort }) => sorts.get(id) !== sort);
};
