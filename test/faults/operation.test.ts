/** @module-tag thorough */
/**
 * A school at work while everything fails in turn: three processes behind HAProxy, on PostgreSQL with a synchronous replica
 * and pgbouncer, and files in a bucket; a hundred people, who lose nothing that they were told it has. Some ten minutes, so
 * by itself: `npm run bench -- operation` prints the table of `server/deploy/processes.md`.
 */
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { wallClock } from '#server/school/calendar.ts';
import { type Send, tokenOf, waitingAnswers } from '../bench/grading.ts';
import { stateBefore } from '../learners/compare.ts';
import { Line } from '../learners/line.ts';
import { findScene } from '../learners/scene.ts';
import { atWork, crowd, Ledger, type School, signIn, type Work } from '../operation/people.ts';
import { openPlace, type Place } from '../operation/place.ts';
import { Watch } from '../operation/watch.ts';
import { startBucket } from '../support/bucket.ts';
import { runCommand } from '../support/commands.ts';
import { pauseFor } from '../support/pause.ts';
import { query, startFailingPostgres } from '../support/postgres.ts';
import { startServer } from '../support/running-server.ts';
import { smallDisk } from '../support/small-disk.ts';

const isAsked = process.env.OPERATION !== undefined;
/** Names of the rows to run, from OPERATION; all by default. */
const wanted = (process.env.OPERATION ?? '').split(',').filter(Boolean);

interface Disturbance {
  name: string;
  what: string;
  /** Seconds for which people work. */
  seconds: number;
  /** Causes the fault. Resolves with the time from which on everything should work again. */
  happen(place: Place, work: Work): Promise<number>;
}

/** Milliseconds for which a part is off until somebody starts it again. */
const outage = 10_000;

const restarted = async (place: Place, which: 0 | 1 | 2) => {
  place.servers[which] = await place.serve(place.ports[which]);
};

/** Fills a disk for the time of an outage, and frees it again. */
async function fillDisk(disk: string): Promise<void> {
  const filler = path.join(disk, 'filler');
  for (const end = performance.now() + outage; performance.now() < end; await pause(200)) {
    const { bavail, bsize } = statfsSync(disk);
    try {
      if (bavail > 0) writeFileSync(filler, new Uint8Array(bavail * bsize), { flag: 'a' });
    } catch {
      // Another process has used the remaining space.
    }
  }
  rmSync(filler);
}

const answers = (place: Place) =>
  query(place.primary, 'select 1').then(
    () => true,
    () => false,
  );

async function clockOfOne(place: Place, ahead: number): Promise<number> {
  const began = performance.now();
  place.setClock(place.servers[1], ahead);
  await pauseFor(20_000);
  place.setClock(place.servers[1], 0);
  return began;
}

const disturbances: Disturbance[] = [
  {
    name: 'nothing',
    what: 'nothing happens',
    seconds: 25,
    happen: async () => performance.now(),
  },
  {
    name: 'rolling',
    what: 'rolling restart of all three',
    seconds: 60,
    async happen(place) {
      for (const which of [0, 1, 2] as const) {
        expect((await place.servers[which].end('SIGTERM')).code).toBe(0);
        await restarted(place, which);
        // Waits until the proxy sends requests to this server.
        const countRequests = () => place.servers[which].printed().match(/"route":"(?!\/readyz)/g)?.length ?? 0;
        const before = countRequests();
        await expect.poll(() => countRequests() - before).toBeGreaterThan(10);
      }
      return performance.now();
    },
  },
  {
    name: 'kill',
    what: '`kill -9` of one',
    seconds: 40,
    async happen(place) {
      const began = performance.now();
      await place.servers[0].kill();
      await pauseFor(2_000);
      await restarted(place, 0);
      return began;
    },
  },
  {
    name: 'restart',
    what: 'PostgreSQL restarted',
    seconds: 40,
    async happen({ primary }) {
      const began = performance.now();
      await primary.end('INT');
      await primary.start();
      return began;
    },
  },
  {
    name: 'failover',
    what: 'primary killed, replica promoted, pgbouncer led there',
    seconds: 40,
    async happen(place) {
      const began = performance.now();
      await place.primary.end('QUIT');
      await query(place.replica, 'select pg_promote()');
      place.pooler.leadTo(place.replica.url);
      place.primary = place.replica;
      return began;
    },
  },
  {
    name: 'files-full',
    what: 'disk of received files full for 10 s',
    seconds: 45,
    async happen({ disks }) {
      await fillDisk(disks.data);
      return performance.now();
    },
  },
  {
    name: 'database-full',
    what: 'disk of PostgreSQL full for 10 s',
    seconds: 50,
    async happen(place) {
      await fillDisk(place.diskOf(place.primary));
      const freed = performance.now();
      // PostgreSQL ends when its log does not fit on the disk. Its supervisor starts it again.
      for (let tries = 0; tries < 10 && !(await answers(place)); tries += 1) await pause(200);
      if (!(await answers(place))) await place.primary.start();
      return freed;
    },
  },
  {
    name: 'storage',
    what: 'bucket away for 10 s',
    seconds: 45,
    async happen({ bucket }) {
      await bucket.close();
      await pauseFor(outage);
      await bucket.open();
      return performance.now();
    },
  },
  {
    name: 'ahead',
    what: 'clock of one an hour ahead for 20 s',
    seconds: 50,
    happen: (place) => clockOfOne(place, 3_600),
  },
  {
    name: 'behind',
    what: 'clock of one an hour behind for 20 s',
    seconds: 50,
    happen: (place) => clockOfOne(place, -3_600),
  },
];

interface Row {
  what: string;
  watch: Watch;
  acknowledged: number;
  lost: number;
  /** Milliseconds. */
  recovery: number;
}

function tableOf(lines: readonly Row[]): string {
  const rows = lines.map(({ what, watch, acknowledged, lost, recovery }) => [
    what,
    watch.requests,
    watch.again,
    `${watch.errors.length} / ${watch.lostForms}`,
    acknowledged,
    lost,
    (recovery / 1_000).toFixed(1),
    (watch.longest / 1_000).toFixed(1),
  ]);
  const head = [
    'what happens',
    'requests',
    'sent again unseen',
    'errors seen / forms lost',
    'acknowledged',
    'lost',
    'seconds to recover',
    'longest answer, s',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A lecturer's mark with its version. */
async function answersToMark(db: Database, school: School): Promise<Pick<Work, 'token' | 'answers'>> {
  const line = new Line({ base: () => school.base, ca: school.ca, lost: 0 });
  const send: Send = async (call, token, body) => {
    const answer = await line.ask({ call, method: 'POST', path: `/api/${call}`, token, body: body as object });
    return answer ?? { status: 0, data: undefined };
  };
  const token = await tokenOf(send);
  const waiting = await waitingAnswers(send, token, crowd.graders * 3);
  line.close();
  const versions = await db
    .selectFrom('answer')
    .select(['report_id', 'question_id', 'version'])
    .where(
      'report_id',
      'in',
      waiting.map(({ report_id }) => report_id),
    )
    .execute();
  const versionOf = (one: (typeof waiting)[number]) =>
    versions.find((kept) => kept.report_id === one.report_id && kept.question_id === one.ques_id)?.version ?? 0;
  return { token, answers: waiting.map((one) => ({ ...one, version: versionOf(one) })) };
}

async function classOf(db: Database, username: string): Promise<number> {
  const { id } = await db.selectFrom('staff').select('id').where('username', '=', username).executeTakeFirstOrThrow();
  const headed = await db
    .selectFrom('class_staff')
    .select('class_id')
    .where('staff_id', '=', id)
    .where('duty', '=', 'head')
    .orderBy('class_id')
    .executeTakeFirst();
  if (headed) return headed.class_id;
  const { class_id } = await db
    .selectFrom('class_staff')
    .select('class_id')
    .where('staff_id', '=', id)
    .orderBy('class_id')
    .executeTakeFirstOrThrow();
  await db.insertInto('class_staff').values({ class_id, staff_id: id, duty: 'head' }).execute();
  return class_id;
}

it.skipIf(!isAsked)(
  'a hundred people lose nothing while everything fails in turn',
  { timeout: 1_800_000 },
  async () => {
    const place = await openPlace();
    if ('missing' in place) throw new Error(place.missing);
    const lines: Row[] = [];
    const faults: string[] = [];
    try {
      const school = { base: `https://localhost:${place.proxy.port}`, ca: place.proxy.certificate };
      const database = openDatabase(place.primary.url);
      const { db } = database;
      const before = await stateBefore(db);
      const chosen = disturbances.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
      const withBackup = wanted.length === 0 || wanted.includes('backup');
      const scene = await findScene(db, { students: (chosen.length + 1) * crowd.learners, now: wallClock() });
      if ('wrong' in scene || !scene.exam) throw new Error('there is no exam to take');
      const { exam } = scene;
      const ledger = new Ledger();
      const cookie = await signIn(school, 'teacher', 'Teach2026');
      const marking = await answersToMark(db, school);
      const standing = { school, ledger, cookie, ...marking, classId: await classOf(db, 'teacher') };
      await database.destroy();
      expect(marking.answers.length).toBeGreaterThanOrEqual(crowd.graders);
      const storage = await createStorage({
        directory: place.disks.data,
        bucket: {
          name: 'school',
          region: 'cn-north-1',
          endpoint: place.bucket.endpoint,
          credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
        },
      });
      const findLost = async (url: string, told: Ledger = ledger) => {
        const there = openDatabase(url);
        try {
          return await told.lostFrom(there.db, { before, storage });
        } finally {
          await there.destroy();
        }
      };
      const run = async (turn: number, { what, seconds, happen }: Disturbance) => {
        const watch = new Watch();
        const work = { ...standing, watch };
        const acknowledged = ledger.acknowledged;
        const uids = exam.uids.slice(turn * crowd.learners, (turn + 1) * crowd.learners);
        let isOver = false;
        const working = atWork(work, { ...scene, exam: { ...exam, uids } }, seconds, () => isOver);
        // Waits until all people have started.
        await pause(seconds * 250 + 1_000);
        const moment = await happen(place, work)
          // Requests that would still fail do so now.
          .finally(() => pauseFor(3_000))
          .finally(() => {
            isOver = true;
          });
        const wrong = await working;
        const gone = await findLost(place.primary.url);
        faults.push(...wrong.map((fault) => `${what}: ${fault}`), ...gone.map((fault) => `${what}: ${fault}`));
        lines.push({
          what,
          watch,
          acknowledged: ledger.acknowledged - acknowledged,
          lost: gone.length,
          recovery: watch.recoveredAfter(moment),
        });
        console.log(tableOf(lines.slice(-1)).split('\n').at(-1));
        for (const [said, times] of watch.said().slice(0, 8)) console.log(`    ${times}× ${said}`);
        for (const fault of [...wrong, ...gone].slice(0, 8)) console.log(`    FAULT ${fault}`);
      };
      for (const [turn, disturbance] of chosen.entries()) await run(turn, disturbance);
      if (withBackup) {
        let told = new Ledger();
        const folder = path.join(place.disks.data, '..', `${path.basename(place.disks.data)}-backup`);
        const archive = `${folder}.tar.zst`;
        await run(chosen.length, {
          name: 'backup',
          what: 'backup while they work',
          seconds: 40,
          async happen() {
            told = ledger.copy();
            const began = performance.now();
            const made = await runCommand('server/backup/command.ts', ['make', archive], {
              ...place.environment,
              DATABASE_DIRECT_URL: place.primary.url,
              VAR_DIR: folder,
            });
            expect(made).toMatchObject({ code: 0, stderr: '' });
            return began;
          },
        });
        const disk = smallDisk(700);
        const elsewhere = await startFailingPostgres('folder' in disk ? { parent: disk.folder } : {});
        const bucket = await startBucket(500);
        try {
          const began = performance.now();
          const here = {
            ...place.environment,
            ...bucket.environment,
            DATABASE_URL: elsewhere?.url ?? '',
            DATABASE_POOLER: '0',
            VAR_DIR: `${folder}-elsewhere`,
          };
          const restored = await runCommand('server/backup/command.ts', ['restore', archive], here);
          expect(restored).toMatchObject({ code: 0 });
          const server = await startServer(here);
          const recovery = performance.now() - began;
          await server.stop();
          const gone = await findLost(elsewhere?.url ?? '', told);
          faults.push(...gone.map((fault) => `restored elsewhere: ${fault}`));
          const files = [...place.bucket.objects.keys()].filter((key) => !bucket.objects.has(key));
          console.log(`restored elsewhere: ${bucket.objects.size} files, ${files.length} of later`);
          lines.push({
            what: 'restored elsewhere, as of the beginning of the backup',
            watch: new Watch(),
            acknowledged: told.acknowledged,
            lost: gone.length,
            recovery,
          });
        } finally {
          await bucket.close();
          await elsewhere?.stop();
          if ('remove' in disk) disk.remove();
          for (const left of [archive, folder, `${folder}-elsewhere`]) rmSync(left, { recursive: true, force: true });
        }
      }
      expect(await findLost(place.primary.url)).toEqual([]);
      expect(faults).toEqual([]);
      for (const { what, recovery } of lines.filter(({ what }) => !what.startsWith('restored')))
        expect(recovery, what).toBeLessThan(10_000);
    } finally {
      console.log(`\n${tableOf(lines)}\n`);
      await place.close();
    }
  },
);
