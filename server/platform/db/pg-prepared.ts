/**
 * Prepared statements of PostgreSQL (plan cache): a named statement keeps its plan on each connection of requests,
 * because parsing and planning a lookup takes longer than running it. Job connections do not name statements: they fill
 * tables, and a plan made for an empty table is a full scan. A transaction pooler may not know a name, or know it for
 * another statement; then the whole pool stops naming statements until the process ends. An example:
 *
 * `keepPrepared(query.sql); client.query({ text: query.sql, name: preparedName(query.sql) })`
 */
import { createHash } from 'node:crypto';

const names = new Map<string, string>();

export function keepPrepared(text: string): void {
  names.set(text, `kept_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`);
}

/** Returns the name under which a statement is prepared; undefined if it is not. */
export const preparedName = (text: string): string | undefined => names.get(text);

/** PostgreSQL's codes for an unknown statement name and for a name used twice. */
const lostCodes = ['26000', '42P05'];

/** True if a query failed because of its statement name. */
export const isPreparedLost = (code: string | undefined): boolean => lostCodes.includes(code ?? '');

/** True if a prepared `select *` no longer fits its table, because an upgrade added a column. */
export const isPreparedOutdated = (code: string | undefined): boolean => code === '0A000';
