/**
 * Statements whose plans PostgreSQL keeps for each connection of requests: to read and to plan one that is answered by an
 * index takes it longer than to answer it. Jobs fill tables, which a plan of before would read whole. The statements have
 * names there. Behind a pooler that hands another connection to each transaction these may be nobody's, or somebody else's:
 * then all statements of a pool go without, until its end.
 */
import { createHash } from 'node:crypto';

const names = new Map<string, string>();

export function keepPlan(text: string): void {
  names.set(text, `kept_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`);
}

/** Undefined where the plan of a statement is not kept. */
export const planName = (text: string): string | undefined => names.get(text);

/** No such statement, and one that is there already. */
const strangers = ['26000', '42P05'];

/** Whether a query failed for the name of its plan, by PostgreSQL's code. */
export const isPlanLost = (code: string | undefined): boolean => strangers.includes(code ?? '');

/** Whether a plan of all columns was refused, as it is once its table has another one: an upgrade came in between. */
export const isPlanOutdated = (code: string | undefined): boolean => code === '0A000';
