/** What is put away is not offered where something is chosen; what uses it keeps it. */

interface MayBeAway {
  id: number;
  parent_id: number | null;
  put_away_at: number | null;
}

/** Those that are put away themselves, or stand below one that is. */
export function archivedIdsOf(entries: readonly MayBeAway[]): Set<number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const isAway = (entry: MayBeAway | undefined, steps: number): boolean =>
    entry !== undefined &&
    steps <= entries.length &&
    (entry.put_away_at !== null || (entry.parent_id !== null && isAway(byId.get(entry.parent_id), steps + 1)));
  return new Set(entries.filter((entry) => isAway(entry, 0)).map(({ id }) => id));
}

/** All others. */
export function notArchived<Entry extends MayBeAway>(entries: readonly Entry[]): Entry[] {
  const away = archivedIdsOf(entries);
  return entries.filter(({ id }) => !away.has(id));
}
