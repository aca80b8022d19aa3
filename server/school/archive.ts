/** Archived entries of the catalogue are no longer offered as choices, but records that have one keep it. */

interface MayBeAway {
  id: number;
  parent_id: number | null;
  put_away_at: number | null;
}

/** Returns the ids of entries that are archived or have an archived parent. */
export function archivedIdsOf(entries: readonly MayBeAway[]): Set<number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const isAway = (entry: MayBeAway | undefined, steps: number): boolean =>
    entry !== undefined &&
    steps <= entries.length &&
    (entry.put_away_at !== null || (entry.parent_id !== null && isAway(byId.get(entry.parent_id), steps + 1)));
  return new Set(entries.filter((entry) => isAway(entry, 0)).map(({ id }) => id));
}

/** Returns the entries that are not archived and have no archived parent. */
export function notArchived<Entry extends MayBeAway>(entries: readonly Entry[]): Entry[] {
  const away = archivedIdsOf(entries);
  return entries.filter(({ id }) => !away.has(id));
}
