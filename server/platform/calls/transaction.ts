import type { Database } from '#server/platform/db/engine.ts';
import { isRefusal, type Refusal } from './outcome.ts';

/** Runs `work` in a transaction; a returned refusal rolls it back. */
export async function inTransaction<T>(
  db: Database,
  work: (db: Database) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  class TakeBack {
    readonly refusal: Refusal;
    constructor(refusal: Refusal) {
      this.refusal = refusal;
    }
  }
  try {
    return await db.transaction().execute(async (trx) => {
      const outcome = await work(trx);
      if (isRefusal(outcome)) throw new TakeBack(outcome);
      return outcome;
    });
  } catch (thrown) {
    if (thrown instanceof TakeBack) return thrown.refusal;
    throw thrown;
  }
}
