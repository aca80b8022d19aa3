import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { Operand } from './prepared.ts';

/**
 * Folds upper to lower case character by character, so that the length stays the same: a capital İ stays one character,
 * and a final sigma becomes a plain one.
 */
export const foldCase = (text: string): string => text.replaceAll('İ', 'i').replace(/[Σς]/g, 'σ').toLowerCase();

let beyond: [capital: string, small: string][] | undefined;
/** Highest code point of a letter with upper and lower case. */
const lastCased = 0x1e943;

/**
 * Returns the letters beyond ASCII that change when folded, with their folded form. SQLite's lower() knows none of
 * them, PostgreSQL's depends on the locale.
 */
export function nonAsciiCapitals(): [capital: string, small: string][] {
  beyond ??= Array.from({ length: lastCased - 0x7f }, (_, place) => String.fromCodePoint(0x80 + place))
    .map((letter): [string, string] => [letter, foldCase(letter)])
    .filter(([capital, small]) => capital !== small);
  return beyond;
}

/**
 * Condition: `column` contains `text`, ignoring case; %, _ and \ are literal. Both engines give the same result,
 * because their lower() gets only ASCII letters to fold.
 */
export function containsText(column: string, text: string): RawBuilder<SqlBool> {
  const sought = foldCase(text);
  const pattern = `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
  const letters = new Set(sought);
  const capitals = nonAsciiCapitals().filter(([, small]) => letters.has(small));
  const written = capitals.reduce<RawBuilder<unknown>>(
    (inner, [capital, letter]) => sql`replace(${inner}, ${capital}, ${letter})`,
    sql.ref(column),
  );
  return sql<SqlBool>`lower(${written}) like ${pattern} escape '\\'`;
}

/** Condition: the name in `column` contains `text`. `normalizeName` normalises both. */
export const nameContains = (column: string, text: string): RawBuilder<SqlBool> => nameLike(column, namePattern(text));

/** Returns the LIKE pattern that `nameLike` takes, for names that contain `text`. */
export const namePattern = (text: string): string => `%${normalizeName(text).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * SQL condition: the name in `column` matches a pattern, which may be a placeholder of a prepared statement. Both
 * engines have the function `plain_name`.
 */
export const nameLike = (column: string, pattern: Operand<string>): RawBuilder<SqlBool> =>
  sql<SqlBool>`plain_name(${sql.ref(column)}) like ${pattern} escape '\\'`;

/**
 * Search tokens of a text, one per character: the folded character in UTF-8 as hexadecimal digits, so that no character
 * is special to an index.
 */
const tokens = (text: string): string[] => Array.from(foldCase(text), (one) => Buffer.from(one).toString('hex'));

/** Bigrams of a text for SQLite's full-text index: a token per two neighbouring characters, in order. */
export const bigramsOf = (text: string): string[] => {
  const all = tokens(text);
  return all.slice(1).map((second, before) => `${all[before]}${second}`);
};

/** Returns the tokens of all characters in a text, each once. */
export const charactersOf = (text: string): string[] => [...new Set(tokens(text))];
