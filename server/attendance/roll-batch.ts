/**
 * Stores the changes of a roll call together, so that they can be undone together. A roll call is of a period or of a
 * scheduled lesson.
 */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { UndoableRoll } from './roll.contract.ts';
import { missingRoll, undoLimit, undoRollFault } from './rules.ts';

/** Subject of a roll call: a period in a class, or a scheduled lesson. */
export interface RollPlace {
  class_id: number;
  period_id: number | null;
  session_id: number | null;
}

/**
 * A record that a roll call changed: its state before, and its state after, which shows whether it has changed again
 * since.
 */
interface RollMark<Before, After> {
  recordId: number;
  before: Before;
  after: After;
}

/** Stores a roll call with the records that it changed. */
export async function storeRoll(
  db: Database,
  actor: Actor,
  { place, marks, now }: { place: RollPlace; marks: readonly RollMark<unknown, unknown>[]; now: number },
): Promise<UndoableRoll> {
  const { id } = await db
    .insertInto('roll_call')
    .values({ ...place, staff_id: actor.id, at: now, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('roll_call_mark')
    .values(
      marks.map(({ recordId, before, after }) => ({
        roll_call_id: id,
        record_id: recordId,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      })),
    )
    .execute();
  return { roll_id: id, count: marks.length, until: now + undoLimit };
}

/**
 * Returns the actor's latest roll call of a period or lesson that is neither undone nor too old. The caller checks
 * whether its records have changed since.
 */
export async function latestRoll(
  db: Database,
  actor: Actor,
  { place, now }: { place: RollPlace; now: number },
): Promise<{ undoable: UndoableRoll; marks: RollMark<string, string>[] } | undefined> {
  const roll = await db
    .selectFrom('roll_call')
    .select(['id', 'at'])
    .where('staff_id', '=', actor.id)
    .where('at', '>=', now - undoLimit)
    .where('undone_at', 'is', null)
    .where('class_id', '=', place.class_id)
    .$if(place.period_id !== null, (query) => query.where('period_id', '=', place.period_id))
    .$if(place.session_id !== null, (query) => query.where('session_id', '=', place.session_id))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!roll) return undefined;
  const marks = await marksOf(db, roll.id);
  return { undoable: { roll_id: roll.id, count: marks.length, until: roll.at + undoLimit }, marks };
}

/**
 * Locks a roll call that the actor can undo now. 404: the roll call is not the actor's, or not of the requested kind
 * (period or lesson). 409: undone already, or too old.
 */
export async function rollToUndo(
  db: Database,
  actor: Actor,
  { rollId, of, now }: { rollId: number; of: 'period_id' | 'session_id'; now: number },
): Promise<{ place: RollPlace; marks: RollMark<string, string>[] } | Refusal> {
  const roll = await forUpdate(db)(
    db
      .selectFrom('roll_call')
      .selectAll()
      .where('id', '=', rollId)
      .where('staff_id', '=', actor.id)
      .where(of, 'is not', null),
  ).executeTakeFirst();
  if (!roll) return missing(missingRoll);
  const refusal = refuseFor('conflict', undoRollFault(roll, now));
  if (refusal) return refusal;
  return { place: roll, marks: await marksOf(db, rollId) };
}

export async function markRollUndone(db: Database, rollId: number, now: number): Promise<void> {
  await db.updateTable('roll_call').set({ undone_at: now }).where('id', '=', rollId).execute();
}

async function marksOf(db: Database, rollId: number): Promise<RollMark<string, string>[]> {
  const marks = await db
    .selectFrom('roll_call_mark')
    .select(['record_id as recordId', 'before', 'after'])
    .where('roll_call_id', '=', rollId)
    .orderBy('record_id')
    .execute();
  return marks;
}
