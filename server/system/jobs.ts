/** Lists background work: scheduled jobs, message queues, running imports. */
import { runningImports } from '#server/import/running-imports.ts';
import { webhookNames } from '#server/learners/webhooks.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { backgroundJobs, wakeJob } from '#server/platform/background/work.ts';
import { forbidden, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { messagesByReceiver, wakeMessages } from '#server/platform/sms/outbox.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { JobRow } from './jobs.contract.ts';
import { jobMessages, jobState, jobStuckAfter, missingJob, queueState, repeatedJobs } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

const none = { name: '', holder: '', waiting: null, oldest_at: null, done_at: null, due_at: null, tries: 0, error: '' };

/** Lists all background work. 403: an administrator of some schools. */
export async function listBackgroundJobs({ db, actor, now }: RequestContext): Promise<JobRow[] | Refusal> {
  return (
    everySchoolOnly(actor) ?? [...(await listRepeatedJobs(db, now)), ...(await lines(db)), ...(await imports(db, now))]
  );
}

/** Makes a job due now. 403: an administrator of some schools. 404: no such job, or nothing to retry. */
export async function retryBackgroundJob({ db, actor, now }: RequestContext, job: string): Promise<null | Refusal> {
  const refusal = everySchoolOnly(actor);
  if (refusal) return refusal;
  const [kind, id] = job.split(' ');
  const webhook = kind === 'webhook' && /^\d{1,15}$/.test(id ?? '') ? Number(id) : undefined;
  const isThere =
    job === 'messages' || webhook !== undefined
      ? await wakeMessages(db, webhook ?? null, now)
      : repeatedJobs.some((known) => known === job) && (await wakeJob(db, job, now));
  return isThere ? null : missing(missingJob);
}

const everySchoolOnly = (actor: Pick<Actor, 'everySchool'>): Refusal | undefined =>
  actor.everySchool ? undefined : forbidden(jobMessages.everySchool);

async function listRepeatedJobs(db: Database, now: number): Promise<JobRow[]> {
  const rows = new Map((await backgroundJobs(db)).map((row) => [row.kind, row]));
  return repeatedJobs.flatMap((kind): JobRow[] => {
    const row = rows.get(kind);
    // Leaves out the job that watches an import folder, if no folder is watched any more: its row stays in the table.
    if (!row || (kind === 'import-watch' && setting('IMPORT_DIR') === '')) return [];
    const { holder, held_until, due_at, done_at, tries } = row;
    // A job that is leased but not due is resting: sticky jobs keep their lease between runs.
    const isHeld = holder !== '' && held_until >= now;
    const isResting = isHeld && due_at > now;
    const state = jobState({ isHeld: isHeld && !isResting, tries, dueAt: due_at }, now);
    const isLate = !isHeld && now - due_at > jobStuckAfter;
    return [
      {
        ...none,
        id: kind,
        kind,
        state,
        holder: isHeld ? holder : '',
        done_at,
        due_at: due_at > now ? due_at : null,
        tries,
        error: row.last_error || (isLate ? jobMessages.late : ''),
        may_retry: state === 'failing' || state === 'waiting' ? 1 : 0,
      },
    ];
  });
}

async function lines(db: Database): Promise<JobRow[]> {
  const found = await messagesByReceiver(db);
  const names = await webhookNames(db);
  const nobody = { waiting: 0, stuck: 0, oldest_at: null, next_at: null, tries: 0, error: '' };
  const rowOf = (webhookId: number | null): JobRow => {
    const { waiting, stuck, oldest_at, next_at, tries, error } =
      found.find(({ webhook_id }) => webhook_id === webhookId) ?? nobody;
    return {
      ...none,
      id: webhookId === null ? 'messages' : `webhook ${webhookId}`,
      kind: webhookId === null ? 'messages' : 'webhook',
      name: (webhookId !== null && names.get(webhookId)) || '',
      state: queueState({ waiting, stuck }),
      waiting,
      oldest_at,
      due_at: tries > 0 ? next_at : null,
      tries,
      error,
      may_retry: tries > 0 ? 1 : 0,
    };
  };
  return [null, ...names.keys()].map(rowOf);
}

async function imports(db: Database, now: number): Promise<JobRow[]> {
  return (await runningImports(db)).map(({ id, file_name, noted_at, is_lost }) => ({
    ...none,
    id: `import ${id}`,
    kind: 'import',
    name: file_name,
    state: is_lost ? 'failing' : 'running',
    done_at: null,
    oldest_at: Math.min(noted_at, now),
    error: is_lost ? jobMessages.lost : '',
    may_retry: 0,
  }));
}
