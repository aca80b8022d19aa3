/** @module-tag thorough */
/** The running product: a lecturer takes leave, and the school's webhook receives messages. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/running-server.ts';

let receiver: Server;
let server: RunningServer;
const arrived: { id: string; mobile: string; content: string }[] = [];
let refusals = 1;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    // The first try fails: nothing is lost by it.
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(500).end();
      return;
    }
    arrived.push(JSON.parse(body));
    response.end('{}');
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  const { port } = receiver.address() as AddressInfo;
  server = await startServer({ SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/sms`, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await server?.stop();
  receiver?.close();
});

it('the server sends each student one message', async () => {
  const ask = async (path: string, init: RequestInit = {}, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return (await (await fetch(server.base + path, { ...init, headers })).json()).data;
  };
  const account = JSON.stringify({ username: 'teacher', password: 'Teach2026' });
  const { token } = await ask('/api/auth/login', { method: 'POST', body: account });
  const { list } = await ask('/api/lector/schedule/list?status=2&class_type=3', {}, token);
  const { id } = list[0];
  const { should_arrive } = await ask(`/api/lector/teacherSchedule/detailClassTime/${id}`, {}, token);
  await ask(`/api/lector/teacherSchedule/leave/${id}`, { method: 'POST', body: '{}' }, token);
  for (let tries = 0; tries < 150 && arrived.length < should_arrive; tries += 1) await pause(100);
  expect(should_arrive).toBeGreaterThan(1);
  expect(arrived).toHaveLength(should_arrive);
  expect(new Set(arrived.map(({ id: one }) => one)).size).toBe(should_arrive);
  expect(arrived[0]?.content).toContain('因老师请假取消');
});
