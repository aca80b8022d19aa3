/** Texts that stand in a statement itself. Its values are no part of it, but for those that a program has written there. */
const texts = /'(?:[^']|'')*'/g;

/** A statement without values, so many characters of it: what it asks for stands at its beginning. */
export const shapeOf = (sql: string, most: number): string => sql.replace(texts, '?').slice(0, most);
