/** Filter suggestions: names from the latest records that a user sees. */

/** Number of latest records that are searched for names. */
export const suggestionSourceRows = 200;
/** Maximum suggestions of one kind. */
const most = 15;

export const firstDistinctNames = (names: readonly (string | null)[]): string[] =>
  [...new Set(names)].filter((name) => name !== null && name !== '').slice(0, most) as string[];
