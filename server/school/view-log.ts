/** Records in the history who viewed a student's data: one row per user, student and hour. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory, viewAction } from '#server/platform/db/history.ts';

const hour = 60 * 60;

/** Caches per database which views this process has recorded, so that repeated views cost nothing. */
const noted = new WeakMap<object, Set<string>>();
/** Maximum number of cached views. Above it the cache is cleared, and the database is asked again. */
const most = 10_000;

function notedViews(db: Database): Set<string> {
  // The adapter is one object for a database, its page caches and its transactions, so it can be the key.
  const { adapter } = db.getExecutor();
  const known = noted.get(adapter) ?? new Set<string>();
  noted.set(adapter, known);
  if (known.size >= most) known.clear();
  return known;
}

/** Records a view. `now`: unix seconds. */
export async function logView(
  { db, actor, now }: { db: Database; actor: Pick<Actor, 'id'>; now: number },
  studentId: number,
): Promise<void> {
  const from = now - (now % hour);
  const known = notedViews(db);
  const look = `${actor.id} ${studentId} ${from}`;
  if (known.has(look)) return;
  const before = await db
    .selectFrom('history')
    .select('id')
    .where('record', '=', 'student')
    .where('record_id', '=', studentId)
    .where('action', '=', viewAction)
    .where('staff_id', '=', actor.id)
    .where('at', '>=', from)
    .limit(1)
    .executeTakeFirst();
  if (!before) {
    await recordHistory(db, {
      actor,
      now,
      record: 'student',
      recordId: studentId,
      action: viewAction,
      before: null,
      after: null,
    });
  }
  known.add(look);
}
