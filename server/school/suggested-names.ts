/** Suggestions for filters: names in the latest records that the user sees. */

/** Number of latest records whose names are used. */
export const suggestionSourceRows = 200;
/** Maximum number of suggestions of one kind. */
const most = 15;

export const firstDistinctNames = (names: readonly (string | null)[]): string[] =>
  [...new Set(names)].filter((name) => name !== null && name !== '').slice(0, most) as string[];
