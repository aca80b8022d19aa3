/**
 * Statements whose plans PostgreSQL keeps for each connection: to read and to plan one that is answered by an index takes it
 * longer than to answer it. They have names there. Behind a pooler that hands another connection to each transaction these
 * may be nobody's, or somebody else's: then, and until the process ends, all statements go without.
 */
import { createHash } from 'node:crypto';

const names = new Map<string, string>();
let areKept = true;

/** No such statement, and one that is there already. */
const strangers = ['26000', '42P05'];

export function keepPlan(text: string): void {
  names.set(text, `kept_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`);
}

/** Undefined where the plan of a statement is not kept. */
export const planName = (text: string): string | undefined => (areKept ? names.get(text) : undefined);

/** Whether a query failed for its name, which none has from then on. */
export function losePlans(code: string | undefined): boolean {
  if (!strangers.includes(code ?? '')) return false;
  areKept = false;
  return true;
}
