/** @module-tag thorough */
/** PostgreSQL fails in every way that it can: nobody waits long, nothing is lost, and all is well when it is back. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { openApp, signInAs } from '../support/app.ts';
import { goal } from '../support/budget.ts';
import { addPaper, handIn } from '../support/paper.ts';
import { pauseFor } from '../support/pause.ts';
import { type FailingPostgres, startFailingPostgres } from '../support/postgres.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import { startServer } from '../support/running-server.ts';
import { type Answer, noon, openTestSchool, said, type TestSchool } from '../support/school.ts';

/** Milliseconds: nobody waits longer for a database that does not answer. Four seconds, and a busy machine. */
const maxWait = 10_000;
/** Milliseconds after which everything works again. */
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

const failing = (): FailingPostgres => {
  if (!postgres) throw new Error('no PostgreSQL');
  return postgres;
};

/** A session of the administrator, beside the school's own. */
async function administrate<T>(task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(failing().url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const read = () => school.as('teacher').get('hw/index');
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

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

/** Reads and writes from many sides while `fault` happens; what each answer was. */
async function underLoad(fault: () => Promise<unknown>): Promise<Set<string>> {
  const answers = new Set<string>();
  let over = false;
  let answered = 0;
  const worker = async (one: number) => {
    while (!over) {
      const answer = await (one % 2 ? read() : write());
      answered += 1;
      answers.add(answer.status === 200 ? '200' : said(answer).join(' '));
      await wait(1);
    }
  };
  const working = Promise.all(Array.from({ length: 12 }, (_, one) => worker(one)));
  while (answered < 120) await wait(5);
  await fault();
  const { took } = await timed(async () => {
    const works = async () => [await read(), await write()].every(({ status }) => status === 200);
    for (const end = Date.now() + 10_000; Date.now() < end && !(await works()); ) await wait(20);
  });
  over = true;
  await working;
  goal('after a failure of the database', took, recovery);
  return answers;
}

const only200and503 = (answers: Set<string>) =>
  [...answers].filter((one) => one !== '200' && one !== `503 ${sentence}`);

describe('PostgreSQL that fails', () => {
  it('is there to be tried', ({ skip }) => {
    skip(postgres === undefined, 'no PostgreSQL that can be started on this machine; see the top of the run');
  });

  it.each(['INT', 'QUIT'] as const)('ended by %s under load and started again: 503 meanwhile', async (how) => {
    const answers = await underLoad(async () => {
      await failing().end(how);
      await pauseFor(300);
      await failing().start();
    });
    expect(answers).toContain(`503 ${sentence}`);
    expect(only200and503(answers)).toEqual([]);
  });

  it('ends the school’s sessions again and again', async () => {
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

  it('loses a backend by kill -9', async () => {
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

  it('hangs: everybody is told within five seconds, however many wait, and goes on with it', async () => {
    await read();
    await failing().hang();
    const asked = [
      ...Array.from({ length: 40 }, () => read),
      ...Array.from({ length: 20 }, () => () => write()),
      signIn,
      () => school.ask('/readyz'),
    ];
    try {
      const answers = await Promise.all(asked.map((ask) => timed<Answer>(ask)));
      // Also who comes later, when connections have been given up already.
      answers.push(await timed<Answer>(read), await timed<Answer>(signIn));
      expect(answers.map(({ result }) => result.status)).toEqual(answers.map(() => 503));
      expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(maxWait);
    } finally {
      await failing().goOn();
    }
    const { took, result } = await timed(read);
    expect(result.status).toBe(200);
    goal('after a failure of the database', took, recovery);
  });

  it('hangs before a page: the page says so once, and a form keeps what was typed', async () => {
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
    await failing().hang();
    try {
      const list = await timed(() => visitor.get('/homework'));
      expect([list.result.status, list.result.text.includes(sentence)]).toEqual([503, true]);
      const login = await timed(() => app.visitor().get('/login'));
      expect([login.result.status, login.result.text.includes(sentence)]).toEqual([503, true]);
      expect(Math.max(list.took, login.took)).toBeLessThan(maxWait);
      for (const [path, fields] of forms) {
        const { took, result } = await timed(() => visitor.post(path, fields));
        expect(took).toBeLessThan(maxWait);
        expect([path, result.status, result.html.includes(typed)]).toEqual([path, 503, true]);
      }
    } finally {
      await failing().goOn();
    }
  });

  it('waits for a lock of somebody else no longer than it must, and others do not wait with it', async () => {
    const homework = await school.addHomework({
      creator: 'teacher',
      classes: [school.classes.k1],
      ending: noon + 9_000,
    });
    await administrate(async (client) => {
      await client.query('begin');
      await client.query('select * from homework where id = $1 for update', [homework]);
      const blocked = timed(() => recall(homework));
      const free = await timed(read);
      expect(free.result.status).toBe(200);
      const { took, result } = await blocked;
      expect(said(result)).toEqual([503, sentence]);
      expect(took).toBeLessThan(maxWait);
    });
    expect((await recall(homework)).status).toBe(200);
  });

  it('has become a copy that only reads: connections to it are not kept', async () => {
    const readOnly = (value: 'on' | 'off') =>
      administrate(async (client) => {
        await client.query(`alter role postgres set default_transaction_read_only = ${value}`);
      }).catch(() => undefined);
    await readOnly('on');
    // Connections that are made from now on only read, for as long as they live.
    await administrate((client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      ),
    );
    while ((await Promise.all(Array.from({ length: 8 }, read))).some(({ status }) => status !== 200)) await wait(20);
    expect((await read()).status).toBe(200);
    expect(said(await write())).toEqual([503, sentence]);
    await Promise.all(Array.from({ length: 8 }, read));
    await administrate(async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query('alter role postgres reset default_transaction_read_only');
    });
    // One of them may still be asked; after that all are new.
    await write();
    const answers = await Promise.all(Array.from({ length: 8 }, () => write()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('breaks off after a commit that nobody hears of: 503, and the same request again is the same record', async () => {
    const cut = await openPostgresProxy(failing().url);
    const database: OpenDatabase = openDatabase(cut.url);
    const before = school.services.database;
    school.replace({ database });
    try {
      expect((await write()).status).toBe(200);
      cut.atNextCommit();
      const title = `公告${notices + 1}`;
      expect(said(await write('the-key-of-this-form'))).toEqual([503, sentence]);
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

  it('takes a mark once whose acknowledgement is lost, and the next one goes on from it', async () => {
    const cut = await openPostgresProxy(failing().url);
    const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1] });
    const report = await handIn(school, paper, school.students.k1[1] as number);
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
      // Also where the sender has forgotten its key.
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

  it('ends like a crash at once after an acknowledgement: what was acknowledged is there', async () => {
    for (let round = 0; round < 3; round += 1) {
      const title = `确认${round}`;
      const notice = { class_id: school.classes.k1, title, content: '<p>内容</p>' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => school.as('teacher').post('announcement', notice)),
      );
      await failing().end('QUIT');
      await failing().start();
      const kept = await administrate((client) =>
        client.query('select id from class_notice where title = $1', [title]),
      );
      expect(kept.rows).toHaveLength(answers.filter(({ status }) => status === 200).length);
      while ((await read()).status !== 200) await wait(20);
    }
  });

  it('may be away when the server starts: every page says so, and works when it is there', async () => {
    await failing().end('INT');
    const server = await startServer({ DATABASE_URL: failing().url }, 'healthz');
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
      await failing().start();
    }
    try {
      const { took } = await timed(async () => {
        while ((await page('/login')).status !== 200) await wait(20);
      });
      goal('after a failure of the database', took, recovery);
      expect((await page('/readyz')).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  it('cuts no work that is nobody’s request', async () => {
    const { withRequestDeadline, withoutDeadline } = await import('#server/platform/db/deadline.ts');
    const { sql } = await import('kysely');
    const sleep = () => sql`select pg_sleep(4.2)`.execute(school.database.db);
    await expect(withRequestDeadline(sleep)).rejects.toMatchObject({ code: '57014' });
    await withRequestDeadline(() => withoutDeadline(sleep));
  });
});
