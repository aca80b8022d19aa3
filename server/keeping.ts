/**
 * Once a day what nobody needs for ever goes: sign-ins, text messages and imports that are older than the school keeps
 * them, and uploads that were never finished. Whichever process looks first on a day does it; in small batches with pauses between
 * them, so that nobody's page waits.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { forgetImports } from '#server/import/keeping.ts';
import { forgetAccess } from '#server/oneroster/access.ts';
import { forgetSignIns } from '#server/platform/auth/sign-in.ts';
import { forgetMessages } from '#server/platform/sms/outbox.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import { forgetEvents } from '#server/school/learner-events.ts';
import { forgetLearnerSessions } from '#server/school/learner-session.ts';
import { claimDay, schoolPolicy, schoolSettings } from '#server/school/settings.ts';

/** Milliseconds between two looks, and between two batches; rows of a batch. */
const lookEvery = 60 * 60 * 1000;
const rest = 50;
const batch = 500;
const day = 24 * 60 * 60;

/** What one look takes away; undefined where the day is done, by this process or another. */
export async function keepWithin({
  database: { db },
  storage,
  now,
}: Pick<Services, 'database' | 'storage' | 'now'>): Promise<
  { signIns: number; messages: number; uploads: number } | undefined
> {
  const at = now();
  const { timezone } = await schoolSettings(db, at);
  if (!(await claimDay(db, dayOf(at, timezone)))) return undefined;
  const { keep_sign_ins, keep_messages, keep_imports } = await schoolPolicy(db, at);
  const unusedSince = at - keep_sign_ins * day;
  const signIns = await inBatches(() => forgetSignIns(db, { unusedSince, most: batch }));
  await inBatches(() => forgetLearnerSessions(db, { unusedSince, most: batch }));
  await inBatches(() => forgetAccess(db, { endedBefore: at, most: batch }));
  await inBatches(() => forgetEvents(db, { before: at - keep_messages * day, most: batch }));
  const messages = await inBatches(() => forgetMessages(db, { arrivedBefore: at - keep_messages * day, most: batch }));
  while (await forgetImports({ db, storage }, { before: at - keep_imports * day })) await pause(rest);
  return { signIns, messages, uploads: await storage.removeAbandoned() };
}

async function inBatches(take: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let taken = await take(); taken > 0; taken = await take()) {
    all += taken;
    if (taken < batch) break;
    await pause(rest);
  }
  return all;
}

/** Looks now and each hour, until the process ends; answers what ends it. */
export function startKeeping(services: Services): () => void {
  const look = () =>
    keepWithin(services).then(
      (taken) => taken && services.log.info(taken, 'kept within the days of the school'),
      (error: unknown) => services.log.warn({ err: error }, 'not kept within the days of the school'),
    );
  const timer = setInterval(look, lookEvery).unref();
  const first = setTimeout(look, 60_000).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(first);
  };
}
