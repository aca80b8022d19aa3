import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { plainName } from '#server/platform/text/name-matching.ts';
import type { Operand } from './prepared.ts';

/**
 * Of a text that case shall not matter in: letter by letter, so that none becomes two, as a capital İ would, and none
 * goes by its neighbours, as the sigma that ends a Greek word would.
 */
export const folded = (text: string): string => text.replaceAll('İ', 'i').replace(/[Σς]/g, 'σ').toLowerCase();

let beyond: [capital: string, small: string][] | undefined;
/** Beyond it no letter has a case. */
const lastCased = 0x1e943;

/** Letters beyond A to Z, and what they are folded to: engines know none of them, or those of a locale. */
export function capitalsBeyondAscii(): [capital: string, small: string][] {
  beyond ??= Array.from({ length: lastCased - 0x7f }, (_, place) => String.fromCodePoint(0x80 + place))
    .map((letter): [string, string] => [letter, folded(letter)])
    .filter(([capital, small]) => capital !== small);
  return beyond;
}

/**
 * `column` contains `text`, whatever the case; %, _ and \ in the text stand for themselves. Alike on both engines, of
 * whose lower() no more is needed than A to Z.
 */
export function containing(column: string, text: string): RawBuilder<SqlBool> {
  const sought = folded(text);
  const pattern = `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
  const letters = new Set(sought);
  const capitals = capitalsBeyondAscii().filter(([, small]) => letters.has(small));
  const written = capitals.reduce<RawBuilder<unknown>>(
    (inner, [capital, letter]) => sql`replace(${inner}, ${capital}, ${letter})`,
    sql.ref(column),
  );
  return sql<SqlBool>`lower(${written}) like ${pattern} escape '\\'`;
}

/** `column` has a name that contains `text`, as `plainName` compares them. */
export const named = (column: string, text: string): RawBuilder<SqlBool> => namedLike(column, namePattern(text));

/** The pattern of names that contain `text`, for `namedLike`. */
export const namePattern = (text: string): string => `%${plainName(text).replace(/[\\%_]/g, '\\$&')}%`;

/** The same as `named` in a prepared statement: both engines have `plain_name`. */
export const namedLike = (column: string, pattern: Operand<string>): RawBuilder<SqlBool> =>
  sql<SqlBool>`plain_name(${sql.ref(column)}) like ${pattern} escape '\\'`;

/** `text` for the engines' indexes: as hexadecimal UTF-8, so that no mark means anything to them, whatever the case. */
const tokens = (text: string): string[] => Array.from(folded(text), (one) => Buffer.from(one).toString('hex'));

/** A token of SQLite's full-text index for each two characters of a text that follow each other, in their order. */
export const pairsOf = (text: string): string[] => {
  const all = tokens(text);
  return all.slice(1).map((second, before) => `${all[before]}${second}`);
};

/** A token for each character of a text. */
export const charactersOf = (text: string): string[] => [...new Set(tokens(text))];
