/** Opens the services of a process: database, storage, log, sending of text messages. */
import { startBackups } from '#server/backup/schedule.ts';
import { migrateAtStart, WrongSchema } from '#server/backup/upgrade.ts';
import { isDemoSchool } from '#server/demo/accounts.ts';
import { plannedLeavesJob } from '#server/enrolment/planned-leaves.ts';
import { handInJob } from '#server/exams/overdue-attempts.ts';
import { watchFolderJobs } from '#server/import/folder.ts';
import { deliveryToWebhooks } from '#server/learners/webhook-delivery.ts';
import { measureSchool } from '#server/monitoring.ts';
import { type Background, createBackground } from '#server/platform/background/work.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createIndexesInBackground, createMissingIndexes } from '#server/platform/db/indexes.ts';
import { databaseLocation, exitForWrongSettings } from '#server/platform/db/location.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';
import { deliveryTo } from '#server/platform/sms/delivery.ts';
import { createSender, type Sender } from '#server/platform/sms/sender.ts';
import { deleteErasedFilesSoon } from '#server/privacy/removal.ts';
import { retentionJob } from '#server/retention.ts';
import { indexesAddedLater } from '#server/schema/indexes.ts';
import { wallClock } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import { schoolSettings, smsWebhookUrl } from '#server/school/settings.ts';
import { removeSetupAddress, setupCode, storeSetupAddress } from '#server/school/setup-address.ts';
import { otherStorageMessage, type ProcessRegistration, registerProcess } from '#server/system/processes.ts';

/**
 * Opens the services. An empty SQLite database gets the demo school unless DEMO=0; a database of DATABASE_URL gets nothing
 * unasked.
 */
export async function openServices(): Promise<Services> {
  const database = openDatabase(databaseLocation(), { replica: setting('DATABASE_REPLICA_URL') });
  try {
    return await createServices(database);
  } catch (error) {
    await database.destroy();
    // Restarting would not help: the operator chooses another version or another database.
    if (error instanceof WrongSchema) exitForWrongSettings(error.message);
    throw error;
  }
}

async function createServices(database: OpenDatabase): Promise<Services> {
  const storage = await createStorage(storageSettings());
  const log = openLog();
  const services: Services = {
    database,
    storage,
    now: wallClock,
    log,
    checkAnswers: setting('NODE_ENV') !== 'production',
  };
  const { migrated, restorePoint } = await migrateAtStart(database, {
    storage,
    now: wallClock,
    faultOfServing: async (db) => (await import('./startup-check.ts')).servingFault(services, db),
  });
  if (restorePoint) log.info({ migrated, restorePoint }, 'the database was migrated');
  if (database.engine === 'sqlite') await createMissingIndexes(database, indexesAddedLater);
  if (!setting('DATABASE_URL') && setting('DEMO')) {
    const anyone = await database.db.selectFrom('staff').select('id').limit(1).executeTakeFirst();
    if (!anyone) {
      // Loaded only if needed: a real school has no use for the demo's texts and pictures.
      const { fillDemoSchool } = await import('#server/demo/school.ts');
      await fillDemoSchool(database, { size: 'small', now: wallClock(), storage: services.storage });
    }
  }
  // A full disk does not stop serving.
  presence = await registerProcess(services).catch((error: unknown) => {
    log.warn({ err: error }, 'this process is not shown');
    return undefined;
  });
  const stranger = await presence?.stranger();
  if (stranger !== undefined) {
    await presence?.refuse();
    exitForWrongSettings(otherStorageMessage(stranger));
  }
  presence?.start();
  // Once per start, not per process.
  if ((processNumber ?? 1) === 1) {
    await printWarnings(database).catch((error: unknown) => log.warn({ err: error }, 'what lies ahead is not known'));
    if (setting('DATABASE_URL') && (await isDemoSchool(database.db))) {
      console.error(
        'The database that DATABASE_URL names holds the demo school, whose passwords everybody can read: only for trials.',
      );
    }
    await printSetupAddress(services);
  }
  if (processNumber !== undefined) services.log.info({ pid: process.pid }, 'this process serves');
  return services;
}

async function printWarnings(database: OpenDatabase): Promise<void> {
  const { startupWarnings } = await import('./startup-warnings.ts');
  for (const fault of await startupWarnings(database)) console.error(fault);
}

/**
 * Says how to set up an empty school. A terminal shows the address; otherwise the output may be a log, so the address goes
 * into a file that only this user can read.
 */
async function printSetupAddress({ database, now }: Services): Promise<void> {
  const code = await setupCode(database.db, now());
  if (!code) {
    removeSetupAddress();
    return;
  }
  const address = `http://localhost:${setting('PORT')}/setup/${code}`;
  console.log(
    process.stdout.isTTY
      ? `学校还没有设置。请在24小时内打开 ${address} ，建立学校和第一位管理员（只能用一次）。`
      : `学校还没有设置。设置地址在文件 ${storeSetupAddress(address)} 中（24小时内有效，只能用一次）。`,
  );
}

/** Sends the outbox while this process runs; at its end, messages in flight are finished first. */
function startSending({ database, log, now }: Services): void {
  // Settings of the screens win over the environment.
  const receiver = {
    address: () => smsWebhookUrl(database.db, now()),
    school: async () => (await schoolSettings(database.db, now())).school_name,
  };
  let isDemo: Promise<boolean> | undefined;
  const isDemoOnce = () => {
    isDemo ??= isDemoSchool(database.db);
    return isDemo;
  };
  const deliver = deliveryToWebhooks(database.db, now, deliveryTo(receiver, log, isDemoOnce));
  const sender = createSender({ database, log, now, deliver });
  sender.start();
  sending = sender;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Added first, to see whether somebody else ends the process: a signal with a listener does not.
    process.prependOnceListener(signal, async () => {
      const alone = process.listenerCount(signal) === 0;
      await sender.stop();
      if (alone) process.kill(process.pid, signal);
    });
  }
}
let presence: ProcessRegistration | undefined;
let sending: Sender | undefined;
let background: Background | undefined;
let stopWork: (() => void | Promise<void>)[] = [];

function startWork(services: Services): void {
  // A process that ended after an erasure may have left files behind.
  deleteErasedFilesSoon({ db: services.database.db, storage: services.storage, log: services.log });
  startSending(services);
  background = createBackground(services, [
    retentionJob(services),
    handInJob(services),
    plannedLeavesJob(services),
    ...watchFolderJobs(services),
  ]);
  background.start();
  stopWork = [measureSchool(services), startBackups(services)];
  if (services.database.engine === 'postgres') stopWork.push(createIndexesInBackground(services, indexesAddedLater));
}

/** The process' services, shared by all its parts, also when a development server reloads this file. */
const opened = Symbol.for('services');
export function sharedServices(): Promise<Services> {
  const holder = globalThis as { [opened]?: Promise<Services> };
  // The first caller opens them; migrations and sending do not run under its deadline.
  holder[opened] ??= withoutDeadline(() => {
    const opening = openServices();
    // A database that was away at the start may be back at the next request.
    opening.then(startWork, () => {
      holder[opened] = undefined;
    });
    return opening;
  });
  return holder[opened];
}

/** Stops background work, then closes the database. Does nothing if none are open. */
export async function closeServices(): Promise<void> {
  // Messages in flight are noted before.
  await sending?.stop();
  await background?.stop();
  for (const stop of stopWork) await stop();
  const services = await (globalThis as { [opened]?: Promise<Services> })[opened]?.catch(() => undefined);
  await presence?.leave().catch(() => undefined);
  await services?.database.destroy();
}
