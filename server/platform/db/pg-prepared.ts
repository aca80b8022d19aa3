/**
 * Names of prepared statements, by which PostgreSQL keeps their plans for each connection of requests: to parse and plan a
 * statement that an index answers takes longer than to answer it. Connections of jobs keep none: they fill tables, and a
 * plan made for an empty table would read it whole. Behind a pooler that hands another connection to each transaction a name
 * may be unknown or another statement's: then the whole pool goes without names until it ends. An example:
 *
 * `keepPrepared(query.sql); client.query({ text: query.sql, name: preparedName(query.sql) })`
 */
import { createHash } from 'node:crypto';

const names = new Map<string, string>();

export function keepPrepared(text: string): void {
  names.set(text, `kept_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`);
}

/** The name of a statement; undefined where it has none. */
export const preparedName = (text: string): string | undefined => names.get(text);

/** No such statement, and another statement of that name. */
const lostCodes = ['26000', '42P05'];

/** Whether a query failed for its name, by PostgreSQL's code. */
export const isPreparedLost = (code: string | undefined): boolean => lostCodes.includes(code ?? '');

/** Whether a plan of all columns was refused, as it is once its table has another one: an upgrade came in between. */
export const isPreparedOutdated = (code: string | undefined): boolean => code === '0A000';
