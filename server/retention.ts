/**
 * Retention: a daily job purges data older than its retention period, and unfinished work. Small batches with pauses keep
 * pages fast. A failed run is retried at the next hour.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { purgeLeaveBatches, purgeMarks } from '#server/attendance/retention.ts';
import { purgeBackups } from '#server/backup/records.ts';
import { purgeFeeds } from '#server/calendar/feed.ts';
import { purgeAnswerSnapshots } from '#server/grading-desk/retention.ts';
import { purgeAnswerDrafts } from '#server/homework/answer-draft.ts';
import { formRetention, purgeForms } from '#server/homework/drafts.ts';
import { purgeImports } from '#server/import/retention.ts';
import { purgeEvents } from '#server/learners/events.ts';
import { purgeLearnerSessions } from '#server/learners/sessions.ts';
import { purgeCodes } from '#server/learners/sign-in-code.ts';
import { purgeRemovedNotices } from '#server/notices/notices.ts';
import { purgeAccess } from '#server/oneroster/access.ts';
import { purgeAttempts } from '#server/platform/auth/attempts.ts';
import { purgeSignIns } from '#server/platform/auth/sign-in.ts';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import { purgeRequests } from '#server/platform/calls/idempotency.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { analyzePartitionedTables } from '#server/platform/db/statistics.ts';
import { purgeExports } from '#server/platform/export/export-file.ts';
import { dropUnsentMessages, purgeMessages } from '#server/platform/sms/outbox.ts';
import { repeatErasures } from '#server/privacy/erase.ts';
import { deleteErasedFiles } from '#server/privacy/removal.ts';
import { purgePreviews } from '#server/questions/import/preview-state.ts';
import { mergeIndex } from '#server/questions/search.ts';
import { makeSchoolYears } from '#server/schema/school-years.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import {
  clockSuspectSince,
  lastAnalyzeDay,
  retentionDay,
  schoolPolicy,
  schoolSettings,
  storeAnalyzeDay,
  storeClockDoubtedSince,
  storeRetentionDay,
} from '#server/school/settings.ts';
import { purgeCompiled } from '#server/system/compile-cache.ts';
import { purgePolicyReports } from '#server/system/policy-reports.ts';
import { removeUnusedFiles } from '#server/system/unused-files.ts';

/** Milliseconds between two batches; rows per batch. */
const rest = 50;
const batch = 500;
const day = 24 * 60 * 60;
/** Days for which a kind of CSP report is kept after its last report. */
const reportsKeptFor = 90;
/** Days for which compiled code is kept after its last use. */
const compiledKeptFor = 30;

/** Days for which the results of backups are kept. */
const backupResultDays = 400;
/** Days that a server may have been off without its clock being doubted. */
const maxUndoubtedDays = 7;
/** Days between two runs of `analyze` on partitioned tables. */
const analyzeInterval = 7;

/** Thrown if the clock has jumped ahead: nothing is purged until it has stayed ahead for a day. */
export class ClockDoubted extends Error {}

const daysBetween = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / (day * 1_000);

/**
 * Throws ClockDoubted if the clock seems to have jumped ahead. One that was wrong for a moment is right again at the
 * next check.
 */
async function believeClock(db: Database, { last, today, at }: { last: string; today: string; at: number }) {
  const ahead = last === '' ? 0 : daysBetween(last, today);
  const since = await clockSuspectSince(db);
  const isDoubted = ahead > maxUndoubtedDays;
  if (!isDoubted) {
    if (since !== 0) await storeClockDoubtedSince(db, 0);
    return;
  }
  if (since !== 0 && since <= at && at - since >= day) return;
  if (since === 0 || since > at) await storeClockDoubtedSince(db, at);
  throw new ClockDoubted(`服务器时间比上次清理时晚了${ahead}天。如果时间正确，一天后自动开始清理`);
}

/**
 * Runs the daily retention and returns the counts of deleted rows and files; undefined if today is done. Throws
 * ClockDoubted.
 */
export async function runRetention({
  database: { db },
  storage,
  now,
}: Pick<Services, 'database' | 'storage' | 'now'>): Promise<
  { signIns: number; messages: number; uploads: number; unused: number } | undefined
> {
  const at = now();
  const { timezone } = await schoolSettings(db, at);
  const today = dayOf(at, timezone);
  const last = await retentionDay(db);
  // A last run noted for a day in the future was noted by a wrong clock.
  if (last >= today && daysBetween(today, last) <= 1) return undefined;
  await believeClock(db, { last, today, at });
  const policy = await schoolPolicy(db, at);
  const most = batch;
  const since = (days: number) => at - days * day;
  const unusedSince = since(policy.keep_sign_ins);
  const signIns = await inBatches(() => purgeSignIns(db, { unusedSince, most }));
  await inBatches(() => purgeAttempts(db, { endedBefore: at - day, most }));
  await inBatches(() => purgeLearnerSessions(db, { unusedSince, most }));
  await inBatches(() => purgeAccess(db, { endedBefore: at, most }));
  await inBatches(() => purgeFeeds(db, { endedBefore: unusedSince, most }));
  await inBatches(() => purgeRemovedNotices(db, { removedBefore: unusedSince, most }));
  await inBatches(() => dropUnsentMessages(db, { writtenBefore: unusedSince, most }));
  await inBatches(() => purgeEvents(db, { before: since(policy.keep_messages), most }));
  const messages = await inBatches(() => purgeMessages(db, { arrivedBefore: since(policy.keep_messages), most }));
  await inBatches(() => purgeExports({ db, storage }, { madeBefore: since(policy.keep_exports), most }));
  await inBatches(() => purgeForms(db, { before: at - formRetention, most }));
  const unfinished = { before: since(policy.keep_drafts), most };
  await inBatches(() => purgeAnswerDrafts(db, unfinished));
  await inBatches(() => purgeAnswerSnapshots(db, unfinished));
  await inBatches(() => purgeMarks(db, unfinished));
  await inBatches(() => purgeLeaveBatches(db, unfinished));
  await purgePolicyReports(db, since(reportsKeptFor));
  await purgeBackups(db, { before: since(backupResultDays) });
  await purgeCodes(db, at);
  await purgeRequests(db, at);
  await purgePreviews({ db, storage, now: at });
  while (await purgeImports({ db, storage }, { before: since(policy.keep_imports), now: at })) await pause(rest);
  await repeatErasures(db, at);
  const uploads = await storage.removeAbandoned(policy.keep_uploads);
  const unused = await removeUnusedFiles({ db, storage }, at);
  await purgeCompiled(since(compiledKeptFor));
  while (await mergeIndex(db)) await pause(rest);
  const noted = await lastAnalyzeDay(db);
  if (noted === '' || noted > today || daysBetween(noted, today) >= analyzeInterval) {
    await analyzePartitionedTables(db);
    await storeAnalyzeDay(db, today);
  }
  await storeRetentionDay(db, today);
  return { signIns, messages, uploads, unused };
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

/** Checks each hour whether a new day has begun. */
export const retentionJob = (services: Pick<Services, 'database' | 'storage' | 'now' | 'log'>): BackgroundWork => ({
  kind: 'keeping',
  every: 60 * 60,
  // The first run waits a minute, so that it does not slow down the start.
  first: 60,
  async run() {
    // Retries files of erased students that could not be deleted.
    await deleteErasedFiles({ db: services.database.db, storage: services.storage });
    const taken = await runRetention(services);
    if (taken) services.log.info(taken, 'kept within the days of the school');
    const years = await makeSchoolYears(services.database.db, services.now());
    if (years && years.made.length > 0) services.log.info(years, 'made the tables of school years');
  },
});
