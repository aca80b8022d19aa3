/** Matches string literals in a SQL statement; values of parameters are not part of its text. */
const texts = /'(?:[^']|'')*'/g;

/** Returns the first `most` characters of a statement with string literals replaced by `?`. */
export const shapeOf = (sql: string, most: number): string => sql.replace(texts, '?').slice(0, most);
