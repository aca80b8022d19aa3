/**
 * Jobs of an import: check, apply, undo. The request waits a moment for the job, so that it has the result of a short
 * one. A large job runs in a worker thread with a database connection of its own, so that it does not block requests.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { conflict, isRefusal, Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isSqlite, type OpenDatabase } from '#server/platform/db/engine.ts';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import { broadcast, onBroadcast } from '#server/platform/processes/siblings.ts';
import { applyRows } from './apply.ts';
import { checkRows } from './check.ts';
import { canBeUndone } from './retention.ts';
import { applyFault, type ImportJob, importMessages, jobLostAfter, undoFault } from './rules.ts';
import { secondsNow } from './running-imports.ts';
import { ImportCancelled, type JobInput, type Progress, storedImport } from './stored-import.ts';
import type { workInWorker } from './thread.ts';
import { undoRows } from './undo.ts';

export interface JobOrder extends JobInput {
  job: ImportJob;
  departures: boolean;
}

/** From this number of rows a job is worth starting a worker. */
const largeFrom = 3000;
/** Milliseconds that a request waits for the job. */
const jobWait = 3_000;
/** Milliseconds between two heartbeats. */
const heartbeatInterval = 1_000;
/** Limit of a job in milliseconds. */
const timeLimit = 30 * 60 * 1000;
/** Limit of a job's worker in megabytes. */
const memoryLimit = 224;

let pool: Pool | undefined;

/**
 * Claims the import for a job; false if another job has it. Uses a transaction of its own, so that all processes see
 * the claim at once.
 */
export async function claimImport(db: Database, importId: number, job: ImportJob): Promise<boolean> {
  const at = secondsNow();
  const claimed = await db
    .updateTable('import')
    .set({ job, done: 0, noted_at: at, is_cancelled: 0, failure: '' })
    .where('id', '=', importId)
    .where((eb) => eb.or([eb('job', '=', ''), eb('noted_at', '<', at - jobLostAfter)]))
    .executeTakeFirst();
  return Number(claimed.numUpdatedRows) === 1;
}

/** Releases an import whose process died. The job left nothing half done: its transaction is gone, or it only read. */
export async function releaseLostJobs(db: Database, importId: number): Promise<void> {
  await db
    .updateTable('import')
    .set({ job: '', failure: importMessages.lost })
    .where('id', '=', importId)
    .where('job', '!=', '')
    .where('noted_at', '<', secondsNow() - jobLostAfter)
    .execute();
}

/**
 * Starts a claimed job and waits for it a moment. Returns its refusal if it failed by then; null if it is done or still
 * running. `alone`: the process serves no requests, so a worker would only cost memory.
 */
export async function startJob(
  { database, log }: { database: OpenDatabase; log: Log },
  order: JobOrder,
  { whole = false, alone = false } = {},
): Promise<Refusal | null> {
  const { total } = await storedImport(database.db, order.importId);
  const isApart = !alone && total >= largeFrom && database.location !== ':memory:';
  const running = withoutDeadline(() =>
    isApart ? runInThread(database, order) : performJob(database.db, order),
  ).catch(async (error: unknown) => {
    log.error({ err: error, import: order.importId }, 'import failed');
    await noteFailure(database.db, order.importId, importMessages.failed).catch(() => undefined);
    return new Refusal('away', importMessages.failed);
  });
  void running.then((refusal) => count('imports', { job: order.job, outcome: jobOutcome(refusal) }));
  if (whole) return running;
  return Promise.race([running, pause(jobWait, null, { ref: false })]);
}

function jobOutcome(refusal: Refusal | null): string {
  if (!refusal) return 'done';
  return refusal.kind === 'away' ? 'failed' : 'refused';
}

async function runInThread(database: OpenDatabase, order: JobOrder): Promise<Refusal | null> {
  pool ??= createPool({ workers: 1, timeLimit, memoryLimit });
  const ending = new AbortController();
  runningWorkers.set(order.importId, ending);
  try {
    const outcome = await pool.run<Awaited<ReturnType<typeof workInWorker>>>({
      module: '#server/import/thread.ts',
      run: 'workInWorker',
      input: { order, location: database.location },
      signal: ending.signal,
    });
    if ('failed' in outcome && ending.signal.aborted) {
      await noteFailure(database.db, order.importId, importMessages.cancelled);
      return conflict(importMessages.cancelled);
    }
    if ('failed' in outcome) throw new Error(`the thread of an import failed: ${outcome.failed}`);
    return outcome.ok.refused ? conflict(outcome.ok.refused.msg, outcome.ok.refused.data) : null;
  } finally {
    runningWorkers.delete(order.importId);
  }
}

/** Jobs that run in worker threads. Ending such a thread closes its database connection, which rolls back. */
const runningWorkers = new Map<number, AbortController>();

/** Thrown to roll back the transaction of a job; carries the refusal. */
class Stale extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.msg);
    this.refusal = refusal;
  }
}

/** Runs a job. 409: records changed since the check, or the job was cancelled. */
export async function performJob(db: Database, order: JobOrder): Promise<Refusal | null> {
  try {
    const work = { check: runCheck, apply: runApply, undo: runUndo };
    await work[order.job](db, order);
    return null;
  } catch (error) {
    if (error instanceof ImportCancelled) {
      await noteFailure(db, order.importId, importMessages.cancelled);
      return conflict(importMessages.cancelled);
    }
    if (error instanceof Stale) {
      await noteFailure(db, order.importId, error.refusal.msg);
      return error.refusal;
    }
    await noteFailure(db, order.importId, importMessages.failed).catch(() => undefined);
    throw error;
  }
}

const runCheck = (db: Database, order: JobOrder) => checkRows(db, order, progressOf(db, order.importId));

async function runApply(db: Database, order: JobOrder): Promise<void> {
  const progress = progressOf(db, order.importId);
  await db.transaction().execute(async (trx) => {
    const { state } = await storedImport(trx, order.importId);
    // Another process may have applied the import already.
    const late = applyFault({ state, job: '' });
    if (late) throw new Stale(conflict(late));
    const refusal = await applyRows(trx, order, (done) => progress(done, trx));
    if (isRefusal(refusal)) throw new Stale(refusal);
  });
}

async function runUndo(db: Database, order: JobOrder): Promise<void> {
  const progress = progressOf(db, order.importId);
  await db.transaction().execute(async (trx) => {
    const one = await storedImport(trx, order.importId);
    const isKept = await canBeUndone({ db: trx, now: order.now }, one);
    const late = undoFault({ ...one, job: '', isKept });
    if (late) throw new Stale(conflict(late));
    await undoRows(trx, order, (done) => progress(done, trx));
  });
}

/**
 * Jobs of this process that were cancelled. In SQLite a job's own transaction locks the row that has the flag, so
 * memory has it too.
 */
const cancelled = new Set<number>();

/** Returns a function that reports progress from time to time. Inside a transaction of SQLite it cannot write. */
function progressOf(db: Database, importId: number): (done: number, within?: Database) => ReturnType<Progress> {
  let noted = 0;
  cancelled.delete(importId);
  return async (done, within) => {
    if (cancelled.has(importId)) return false;
    if (performance.now() - noted < heartbeatInterval) return true;
    noted = performance.now();
    const one = await (within ?? db)
      .selectFrom('import')
      .select('is_cancelled')
      .where('id', '=', importId)
      .executeTakeFirst();
    if (one?.is_cancelled === 1) return false;
    // In SQLite the job's transaction holds the only write lock.
    if (!within || !isSqlite(db)) {
      const change = { done, noted_at: secondsNow() };
      await db.updateTable('import').set(change).where('id', '=', importId).execute();
    }
    return true;
  };
}

const cancelling = 'import cancelled';
onBroadcast(cancelling, cancelHere);

function cancelHere(importId: number): void {
  cancelled.add(importId);
  runningWorkers.get(importId)?.abort();
}

/** Cancels a job; what it did is rolled back. */
export async function cancelImportJob(db: Database, importId: number): Promise<void> {
  cancelHere(importId);
  // Other processes are told by a message as well, because in SQLite the job's transaction may lock the row.
  broadcast(cancelling, importId);
  await db.updateTable('import').set({ is_cancelled: 1 }).where('id', '=', importId).where('job', '!=', '').execute();
}

const noteFailure = (db: Database, importId: number, failure: string) =>
  db.updateTable('import').set({ job: '', failure }).where('id', '=', importId).execute();
