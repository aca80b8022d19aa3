import { setTimeout as pause } from 'node:timers/promises';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { deliveryTo, webhookDelivery } from '#server/platform/sms/delivery.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { backoff, createSender, type SenderSettings } from '#server/platform/sms/sender.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { pauseFor } from '../support/pause.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

interface Arrival {
  id: string;
  mobile: string;
  content: string;
}

const address = 'http://sms.test/send';
const receiver = setupServer();
/** Messages received and confirmed. */
const asked: Arrival[] = [];
const confirmed: Arrival[] = [];
const answering = (respond: (message: Arrival, count: number) => Response | Promise<Response>) =>
  receiver.use(
    http.post(address, async ({ request }) => {
      const message = (await request.json()) as Arrival;
      asked.push(message);
      expect(request.headers.get('idempotency-key')).toBe(message.id);
      const response = await respond(message, asked.length);
      if (response.ok) confirmed.push(message);
      return response;
    }),
  );
const ok = () => HttpResponse.json({ ok: true });
const isEachOnce = (messages: Arrival[]) => new Set(messages.map(({ id }) => id)).size === messages.length;

beforeAll(() => receiver.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  asked.length = 0;
  confirmed.length = 0;
});
afterEach(() => receiver.resetHandlers());
afterAll(() => receiver.close());

onBothEngines('text messages', (school) => {
  let sessionId: number;
  let studentId: number;
  const now = () => school().services.now();
  const pass = (seconds: number) => school().setNow(now() + seconds);
  const db = () => school().database.db;
  const sender = (settings: Partial<SenderSettings> = {}) =>
    createSender({
      database: school().database,
      log: pino({ level: 'silent' }),
      now,
      deliver: webhookDelivery(address),
      chunk: 5,
      ...settings,
    });
  const queue = (count: number) =>
    queueMessages(
      db(),
      Array.from({ length: count }, (_, number) => ({
        mobile: `1380000${String(number).padStart(4, '0')}`,
        content: `第${number}条`,
        session_id: sessionId,
        student_id: studentId,
      })),
      now(),
    );
  const listWaiting = () => db().selectFrom('sms_outbox').selectAll().where('delivered_at', 'is', null).execute();

  beforeAll(async () => {
    const team = await addTeam(school(), { size: 1 });
    sessionId = await addLesson(school(), { team });
    studentId = team.students[0] as number;
  });
  beforeEach(async () => {
    await db().deleteFrom('sms_outbox').execute();
  });

  it('are sent once each, oldest first, a few at a time', async () => {
    answering(ok);
    await queue(12);
    const one = sender({ abreast: 1 });
    expect(await one.round()).toEqual({ taken: 5, arrived: 5 });
    expect(asked.map(({ content }) => content)).toEqual(['第0条', '第1条', '第2条', '第3条', '第4条']);
    expect(asked[0]).toEqual({ id: expect.any(String), mobile: '13800000000', content: '第0条' });
    while ((await one.round()).taken > 0);
    expect([asked.length, isEachOnce(asked), (await listWaiting()).length]).toEqual([12, true, 0]);
  });

  it('are sent once each after the receiver returns', async () => {
    answering(() => HttpResponse.error());
    await queue(4);
    const one = sender();
    expect(await one.round()).toEqual({ taken: 4, arrived: 0 });
    expect(await one.round()).toEqual({ taken: 0, arrived: 0 });
    pass(backoff(1));
    await one.round();
    expect((await listWaiting()).map(({ tries, next_try_at }) => [tries, next_try_at])).toEqual(
      Array(4).fill([2, now() + backoff(2)]),
    );
    receiver.resetHandlers();
    answering(ok);
    pass(backoff(2));
    expect(await one.round()).toEqual({ taken: 4, arrived: 4 });
    expect([confirmed.length, isEachOnce(confirmed), (await listWaiting()).length]).toEqual([4, true, 0]);
  });

  it('are retried with the same id after 500, redirect or timeout', async () => {
    const failures = [
      () => new HttpResponse(null, { status: 500 }),
      () => new HttpResponse(null, { status: 302, headers: { location: 'http://elsewhere.test/' } }),
      async () => {
        await pauseFor(400);
        return new HttpResponse(null, { status: 500 });
      },
    ];
    answering((_, count) => failures[count - 1]?.() ?? ok());
    await queue(1);
    const one = sender({ deliver: webhookDelivery(address, 150) });
    for (let tries = 1; tries <= 4; tries += 1) {
      await one.round();
      pass(backoff(tries));
    }
    expect([asked.length, confirmed.length, new Set(asked.map(({ id }) => id)).size]).toEqual([4, 1, 1]);
    expect(await listWaiting()).toEqual([]);
  });

  it('are not resent after confirmation, even if recording it failed', async () => {
    answering(ok);
    await queue(3);
    let away = false;
    const { database } = school();
    // The database fails for everything that follows the arrival of the first message.
    const breaking = new Proxy(database.db, {
      get(target, name) {
        if (away) throw new Error('Connection terminated');
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const deliver = webhookDelivery(address);
    const one = sender({
      database: { ...database, db: breaking },
      deliver: async (message) => {
        await deliver(message);
        away = true;
      },
    });
    await expect(one.round()).rejects.toThrow('Connection terminated');
    await expect(one.round()).rejects.toThrow('Connection terminated');
    away = false;
    // Long after the lease of the messages has passed.
    pass(3600);
    await one.round();
    expect([confirmed.length, isEachOnce(confirmed), (await listWaiting()).length]).toEqual([3, true, 0]);
  });

  it('are shared by two processes', async () => {
    answering(async () => {
      await pauseFor(5);
      return ok();
    });
    await queue(30);
    const [first, second] = [sender(), sender()];
    const work = async (one: typeof first) => {
      while ((await one.round()).taken > 0);
    };
    await Promise.all([work(first), work(second)]);
    expect([confirmed.length, isEachOnce(confirmed), (await listWaiting()).length]).toEqual([30, true, 0]);
  });

  it('pass from a dead process to the next', async () => {
    await queue(2);
    // A process takes these messages and never returns.
    const takenOn = new Promise<void>((resolve) => {
      const deliver = () => {
        resolve();
        return new Promise<never>(() => {});
      };
      void sender({ deliver }).round();
    });
    await takenOn;
    answering(ok);
    const next = sender();
    expect((await next.round()).taken).toBe(0);
    pass(121);
    expect(await next.round()).toEqual({ taken: 2, arrived: 2 });
  });

  it('stop gracefully: sent ones recorded, the rest released', async () => {
    answering(async () => {
      await pauseFor(60);
      return ok();
    });
    await queue(5);
    const one = sender({ abreast: 1, idle: 1 });
    one.start();
    while (asked.length === 0) await pause(5);
    await one.stop();
    expect([asked.length, confirmed.length]).toEqual([1, 1]);
    const left = await listWaiting();
    expect([left.length, left.every(({ next_try_at }) => next_try_at <= now())]).toEqual([4, true]);
    await sender().round();
    expect([confirmed.length, isEachOnce(confirmed)]).toEqual([5, true]);
  });

  it('are sent by a background loop with pauses', async () => {
    answering(ok);
    await queue(12);
    const one = sender({ rest: 1, idle: 5 });
    one.start();
    while ((await listWaiting()).length > 0) await pause(5);
    await queue(1);
    while ((await listWaiting()).length > 0) await pause(5);
    await one.stop();
    expect([confirmed.length, isEachOnce(confirmed)]).toEqual([13, true]);
  });
});

it('retry delay grows to 15 minutes', () => {
  expect([1, 2, 3, 7, 8, 9, 100].map(backoff)).toEqual([5, 10, 20, 320, 640, 900, 900]);
});

it("messages start with the school's name, as carriers require", async () => {
  const contents: unknown[] = [];
  receiver.use(
    http.post('https://sms.test/', async ({ request }) => {
      contents.push(((await request.json()) as { content: string }).content);
      return new HttpResponse(null, { status: 200 });
    }),
  );
  const address = async () => 'https://sms.test/';
  const message = { id: 'a', mobile: '13900000001', content: '验证码为123456' };
  for (const name of ['育才中学', '']) {
    await deliveryTo({ address, school: async () => name }, pino({ level: 'silent' }), async () => false)(message);
  }
  expect(contents).toEqual(['【育才中学】验证码为123456', '【教学后台】验证码为123456']);
});

it('without a webhook, a demo school logs messages, and others log that none were sent', async () => {
  const lines: string[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line) });
  const message = { id: 'a', mobile: '13900000001', content: '课次取消' };
  const nowhere = { address: async () => '', school: async () => '' };
  await deliveryTo(nowhere, log, async () => true)(message);
  expect(JSON.parse(lines[0] as string)).toMatchObject(message);
  await deliveryTo(nowhere, log, async () => false)(message);
  expect(JSON.parse(lines[1] as string)).toMatchObject({ id: 'a', msg: expect.stringContaining('SMS_WEBHOOK_URL') });
  expect(lines[1]).not.toMatch(/13900000001|课次取消/);
});
