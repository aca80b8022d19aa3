/** @module-tag thorough */
/** Every failure of PostgreSQL: answers stay quick, nothing is lost, and all works once it is back. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { openApp, signInAs } from '../support/app.ts';
import { goal } from '../support/budget.ts';
import { addPaper, submitHomeworkReport } from '../support/paper.ts';
import { pauseFor } from '../support/pause.ts';
import { type FailingPostgres, startFailingPostgres } from '../support/postgres.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import { startServer } from '../support/running-server.ts';
import { type Answer, noon, openTestSchool, outcomeOf, type TestSchool } from '../support/school.ts';

/** Milliseconds: longest answer while the database hangs. Four seconds, and reserve for a busy machine. */
const maxWait = 10_000;
/** Milliseconds until everything works again. */
const recovery = 2_000;
const sentence = '服务暂时不可用，请稍后再试';

let postgres: FailingPostgres | undefined;
let school: TestSchool;

beforeAll(async () => {
  postgres = await startFailingPostgres();
  if (!postgres) return;
  school = await openTestSchool('PostgreSQL', postgres.url);
  await school.database.db
    .updateTable('staff')
    .set({ password_hash: await hashPassword('Teach2026') })
    .where('username', '=', 'teacher')
    .execute();
  await school.database.db
    .insertInto('class_staff')
    .values({ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' })
    .execute();
});
afterAll(async () => {
  await school?.close();
  await postgres?.stop();
});

const requirePostgres = (): FailingPostgres => {
  if (!postgres) throw new Error('no PostgreSQL');
  return postgres;
};

/** Runs a task on an administrator's connection, apart from the school's pool. */
async function administrate<T>(task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(requirePostgres().url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const readList = () => school.as('teacher').get('hw/index');
let notices = 0;
const write = (key?: string, client = school.as('teacher')) => {
  notices += 1;
  const notice = { class_id: school.classes.k1, title: `公告${notices}`, content: '<p>内容</p>' };
  return client.post('announcement', notice, key ? { 'idempotency-key': key } : {});
};
const recall = (homework: number) => school.as('teacher').post(`hw/withdraw/${homework}`);
const signIn = () =>
  school.ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'teacher', password: 'Teach2026' }),
  });

async function timeWork<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

/** Reads and writes with twelve workers while `fault` runs; returns the distinct answers. */
async function underLoad(fault: () => Promise<unknown>): Promise<Set<string>> {
  const answers = new Set<string>();
  let over = false;
  let answered = 0;
  const worker = async (one: number) => {
    while (!over) {
      const answer = await (one % 2 ? readList() : write());
      answered += 1;
      answers.add(answer.status === 200 ? '200' : outcomeOf(answer).join(' '));
      await wait(1);
    }
  };
  const working = Promise.all(Array.from({ length: 12 }, (_, one) => worker(one)));
  while (answered < 120) await wait(5);
  await fault();
  const { took } = await timeWork(async () => {
    const works = async () => [await readList(), await write()].every(({ status }) => status === 200);
    for (const end = Date.now() + 10_000; Date.now() < end && !(await works()); ) await wait(20);
  });
  over = true;
  await working;
  goal('after a failure of the database', took, recovery);
  return answers;
}

const only200and503 = (answers: Set<string>) =>
  [...answers].filter((one) => one !== '200' && one !== `503 ${sentence}`);

describe('a failing PostgreSQL', () => {
  it('can be started on this machine', ({ skip }) => {
    skip(postgres === undefined, 'no PostgreSQL that can be started on this machine; see the top of the run');
  });

  it.each(['INT', 'QUIT'] as const)(
    'answers 503 when ended by %s under load, and works once started again',
    async (how) => {
      const answers = await underLoad(async () => {
        await requirePostgres().end(how);
        await pauseFor(300);
        await requirePostgres().start();
      });
      expect(answers).toContain(`503 ${sentence}`);
      expect(only200and503(answers)).toEqual([]);
    },
  );

  it('answers only 200 or 503 while connections are terminated again and again', async () => {
    const answers = await underLoad(() =>
      administrate(async (client) => {
        for (let round = 0; round < 20; round += 1) {
          await client.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          );
          await wait(20);
        }
      }),
    );
    expect(only200and503(answers)).toEqual([]);
  });

  it('answers only 200 or 503 when a backend is killed with -9', async () => {
    const answers = await underLoad(async () => {
      const { rows } = await administrate((client) =>
        client.query<{ pid: number }>(
          'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
        ),
      );
      process.kill(rows[0]?.pid as number, 'SIGKILL');
      await pauseFor(100);
      while ((await school.ask('/readyz')).status !== 200) await wait(50);
    });
    expect(only200and503(answers)).toEqual([]);
  });

  it('answers 503 to everybody within the limit while it hangs, and works once it goes on', async () => {
    await readList();
    await requirePostgres().hang();
    const asked = [
      ...Array.from({ length: 40 }, () => readList),
      ...Array.from({ length: 20 }, () => () => write()),
      signIn,
      () => school.ask('/readyz'),
    ];
    try {
      const answers = await Promise.all(asked.map((ask) => timeWork<Answer>(ask)));
      // Includes requests that arrive after the pool has discarded its connections.
      answers.push(await timeWork<Answer>(readList), await timeWork<Answer>(signIn));
      expect(answers.map(({ result }) => result.status)).toEqual(answers.map(() => 503));
      expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(maxWait);
    } finally {
      await requirePostgres().goOn();
    }
    const { took, result } = await timeWork(readList);
    expect(result.status).toBe(200);
    goal('after a failure of the database', took, recovery);
  });

  it('shows the error page while it hangs, and a form keeps its text', async () => {
    const app = await openApp(school);
    const visitor = await signInAs(school, app, 'teacher');
    const homework = await school.addHomework({
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + 9_000,
    });
    expect((await visitor.get('/homework')).status).toBe(200);
    const typed = '写了很久而不应当丢失的一段长长的文字内容';
    const forms: [path: string, fields: Record<string, string>][] = [
      [`/homework/${homework}/deadline`, { ending_time: '2098-01-02T03:04', note: typed }],
      [`/classes/notice?class_id=${school.classes.k1}`, { title: '标题', content: typed }],
      [`/homework/${homework}/recall`, { note: typed }],
    ];
    await requirePostgres().hang();
    try {
      const list = await timeWork(() => visitor.get('/homework'));
      expect([list.result.status, list.result.text.includes(sentence)]).toEqual([503, true]);
      const login = await timeWork(() => app.visitor().get('/login'));
      expect([login.result.status, login.result.text.includes(sentence)]).toEqual([503, true]);
      expect(Math.max(list.took, login.took)).toBeLessThan(maxWait);
      for (const [path, fields] of forms) {
        const { took, result } = await timeWork(() => visitor.post(path, fields));
        expect(took).toBeLessThan(maxWait);
        expect([path, result.status, result.html.includes(typed)]).toEqual([path, 503, true]);
      }
    } finally {
      await requirePostgres().goOn();
    }
  });

  it('answers 503 to a request that waits for a foreign lock, and does not block others', async () => {
    const homework = await school.addHomework({
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + 9_000,
    });
    await administrate(async (client) => {
      await client.query('begin');
      await client.query('select * from homework where id = $1 for update', [homework]);
      const blocked = timeWork(() => recall(homework));
      const free = await timeWork(readList);
      expect(free.result.status).toBe(200);
      const { took, result } = await blocked;
      expect(outcomeOf(result)).toEqual([503, sentence]);
      expect(took).toBeLessThan(maxWait);
    });
    expect((await recall(homework)).status).toBe(200);
  });

  it('loses the pool’s connections once it becomes a read-only replica', async () => {
    const readOnly = (value: 'on' | 'off') =>
      administrate(async (client) => {
        await client.query(`alter role postgres set default_transaction_read_only = ${value}`);
      }).catch(() => undefined);
    await readOnly('on');
    // New connections stay read-only for their whole life.
    await administrate((client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      ),
    );
    while ((await Promise.all(Array.from({ length: 8 }, readList))).some(({ status }) => status !== 200))
      await wait(20);
    expect((await readList()).status).toBe(200);
    expect(outcomeOf(await write())).toEqual([503, sentence]);
    await Promise.all(Array.from({ length: 8 }, readList));
    await administrate(async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query('alter role postgres reset default_transaction_read_only');
    });
    // The first write may still use a read-only connection, which is then closed.
    await write();
    const answers = await Promise.all(Array.from({ length: 8 }, () => write()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('answers 503 when a commit’s acknowledgement is lost, and repeating the request makes no second record', async () => {
    const cut = await openPostgresProxy(requirePostgres().url);
    const database: OpenDatabase = openDatabase(cut.url);
    const before = school.services.database;
    school.replace({ database });
    try {
      expect((await write()).status).toBe(200);
      cut.atNextCommit();
      const title = `公告${notices + 1}`;
      expect(outcomeOf(await write('the-key-of-this-form'))).toEqual([503, sentence]);
      notices -= 1;
      expect((await write('the-key-of-this-form')).status).toBe(200);
      const kept = await database.db.selectFrom('class_notice').select('id').where('title', '=', title).execute();
      expect(kept).toHaveLength(1);
    } finally {
      school.replace({ database: before });
      await database.destroy();
      await cut.close();
    }
  });

  it('keeps a mark once when its acknowledgement is lost, and accepts the next version', async () => {
    const cut = await openPostgresProxy(requirePostgres().url);
    const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1] });
    const report = await submitHomeworkReport(school, paper, school.students.k1[1] as number);
    const before = school.services.database;
    school.replace({ database: openDatabase(cut.url) });
    const mark = async (user_score: number, version: number, key: string) => {
      const body = { report_id: report, ques_id: paper.questions.essay, type: 2, user_score, version };
      const answer = await school.as('teacher').post('hw/review/storeQuestion', body, { 'idempotency-key': key });
      return answer.status === 200 ? answer.body.data.version : answer.status;
    };
    try {
      expect(await mark(0, 0, 'first')).toBe(1);
      cut.atNextCommit();
      expect(await mark(1, 1, 'second')).toBe(503);
      expect([await mark(1, 1, 'second'), await mark(1, 1, 'second')]).toEqual([2, 2]);
      // A retry with a new idempotency key is no second save either.
      expect(await mark(1, 1, 'another')).toBe(2);
      expect(await mark(2, 2, 'third')).toBe(3);
      const rows = await before.db
        .selectFrom('history')
        .innerJoin('answer', 'answer.id', 'history.record_id')
        .select('history.id')
        .where('history.record', '=', 'answer')
        .where('history.action', '=', 'grade')
        .where('answer.report_id', '=', report)
        .execute();
      expect(rows).toHaveLength(3);
    } finally {
      await school.services.database.destroy();
      school.replace({ database: before });
      await cut.close();
    }
  });

  it('keeps every acknowledged write when it crashes right after', async () => {
    for (let round = 0; round < 3; round += 1) {
      const title = `确认${round}`;
      const notice = { class_id: school.classes.k1, title, content: '<p>内容</p>' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => school.as('teacher').post('announcement', notice)),
      );
      await requirePostgres().end('QUIT');
      await requirePostgres().start();
      const kept = await administrate((client) =>
        client.query('select id from class_notice where title = $1', [title]),
      );
      expect(kept.rows).toHaveLength(answers.filter(({ status }) => status === 200).length);
      while ((await readList()).status !== 200) await wait(20);
    }
  });

  it('may be down when the server starts: pages answer 503 until it is up', async () => {
    await requirePostgres().end('INT');
    const server = await startServer({ DATABASE_URL: requirePostgres().url }, 'healthz');
    const page = async (path: string) => {
      const answer = await fetch(`${server.base}${path}`, { redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    };
    const signingIn = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"username":"a","password":"b"}',
    };
    try {
      expect((await page('/readyz')).status).toBe(503);
      const login = await page('/login');
      expect([login.status, login.text.includes('服务暂时不可用')]).toEqual([503, true]);
      const refused = await fetch(`${server.base}/api/auth/login`, signingIn);
      expect([refused.status, (await refused.json()).msg]).toEqual([503, sentence]);
    } finally {
      await requirePostgres().start();
    }
    try {
      const { took } = await timeWork(async () => {
        while ((await page('/login')).status !== 200) await wait(20);
      });
      goal('after a failure of the database', took, recovery);
      expect((await page('/readyz')).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  it('cuts off requests at the deadline, but no background work', async () => {
    const { withRequestDeadline, withoutDeadline } = await import('#server/platform/db/deadline.ts');
    const { sql } = await import('kysely');
    const sleep = () => sql`select pg_sleep(4.2)`.execute(school.database.db);
    await expect(withRequestDeadline(sleep)).rejects.toMatchObject({ code: '57014' });
    await withRequestDeadline(() => withoutDeadline(sleep));
  });
});
