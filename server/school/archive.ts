/** Archived entries (put away): not offered as choices; records that use them keep them. */

interface MayBeAway {
  id: number;
  parent_id: number | null;
  put_away_at: number | null;
}

/** Ids of entries that are archived, or lie below an archived one. */
export function archivedIdsOf(entries: readonly MayBeAway[]): Set<number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const isAway = (entry: MayBeAway | undefined, steps: number): boolean =>
    entry !== undefined &&
    steps <= entries.length &&
    (entry.put_away_at !== null || (entry.parent_id !== null && isAway(byId.get(entry.parent_id), steps + 1)));
  return new Set(entries.filter((entry) => isAway(entry, 0)).map(({ id }) => id));
}

/** Entries that are not archived. */
export function notArchived<Entry extends MayBeAway>(entries: readonly Entry[]): Entry[] {
  const away = archivedIdsOf(entries);
  return entries.filter(({ id }) => !away.has(id));
}
