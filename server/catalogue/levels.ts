/** Entries below entries: their order, and which of them are on one level. */
import type { TermType } from './rules.ts';

/** An entry as any of the tables has it; what a table lacks is as nobody wrote it. */
export interface Entry {
  id: number;
  name: string;
  sort: number;
  parent_id: number | null;
  school_id: number | null;
  seats: number;
  /** Of a term; else empty. */
  type: TermType | '';
  first_day: string;
  last_day: string;
  put_away_at: number | null;
}

/** With how many it stands below. */
export type Placed = Entry & { depth: number };

/** Each followed by what stands below it. One whose parent is gone stands at the top. */
export function inOrder(entries: readonly Entry[]): Placed[] {
  const ids = new Set(entries.map(({ id }) => id));
  const below = new Map<number, Entry[]>();
  for (const entry of entries) {
    const parent = entry.parent_id !== null && ids.has(entry.parent_id) ? entry.parent_id : 0;
    below.set(parent, [...(below.get(parent) ?? []), entry]);
  }
  const follow = (parent: number, depth: number): Placed[] =>
    (below.get(parent) ?? [])
      .sort((one, other) => (one.school_id ?? 0) - (other.school_id ?? 0) || one.sort - other.sort || one.id - other.id)
      .flatMap((entry) => [{ ...entry, depth }, ...follow(entry.id, depth + 1)]);
  return follow(0, 0);
}

type Level = Pick<Entry, 'parent_id' | 'school_id'>;

/** Those that a name is told apart from, and that one is put in order with. */
export const onLevel = <One extends Level>(entries: readonly One[], level: Level): One[] =>
  entries.filter(({ parent_id, school_id }) => parent_id === level.parent_id && school_id === level.school_id);

/** Whether one stands below another, or is it. */
export function isWithin(entries: readonly Entry[], id: number, other: number): boolean {
  const parents = new Map(entries.map((entry) => [entry.id, entry.parent_id]));
  const seen = new Set<number>();
  for (let at: number | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === other) return true;
    seen.add(at);
  }
  return false;
}

/** The one before it on its level; 0: it is the first. */
export function before(entries: readonly Entry[], entry: Pick<Entry, 'id'> & Level): number {
  const level = onLevel(entries, entry);
  return level[level.findIndex(({ id }) => id === entry.id) - 1]?.id ?? 0;
}

/** The same entries with `id` behind `after` on its level, which is 0 where it becomes the first. */
export function moveToEnd(entries: readonly Entry[], id: number, after: number): Placed[] {
  const moved = entries.find((entry) => entry.id === id);
  if (!moved) return inOrder(entries);
  const level = onLevel(entries, moved).filter((entry) => entry.id !== id);
  const at = level.findIndex((entry) => entry.id === after) + 1;
  const ordered = [...level.slice(0, at), moved, ...level.slice(at)];
  const place = new Map(ordered.map((entry, index): [number, number] => [entry.id, index]));
  return inOrder(entries.map((entry) => ({ ...entry, sort: place.get(entry.id) ?? entry.sort })));
}

/** What their order is called from 1 on, of those where that is something else than before. */
export const renumbered = (ordered: readonly Entry[], stored: readonly Entry[]): { id: number; sort: number }[] => {
  const sorts = new Map(stored.map(({ id, sort }) => [id, sort]));
  return ordered.map(({ id }, index) => ({ id, sort: index + 1 })).filter(({ id, sort }) => sorts.get(id) !== sort);
};
