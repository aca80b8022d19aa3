/** Names that a filter may suggest, made of the latest records that somebody sees. */

/** Records whose names are looked at. */
export const latestNamed = 200;
/** Names of one kind that are given. */
const most = 15;

export const firstNames = (names: readonly (string | null)[]): string[] =>
  [...new Set(names)].filter((name) => name !== null && name !== '').slice(0, most) as string[];
