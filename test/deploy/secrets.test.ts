/** @module-tag thorough */
/** The session secret is exchanged while people are at work, in the steps of server/deploy/README.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/demo-school.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

const varDir = mkdtempSync(path.join(tmpdir(), 'secrets-'));
beforeAll(() => copyDemoFolder(varDir));
afterAll(() => rmSync(varDir, { recursive: true, force: true }));

const former = 'the-secret-that-was-there-before-it';
const newer = 'the-secret-that-is-there-after-that';

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function signIn({ base }: RunningServer): Promise<string> {
  const answer = await fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'teacher', password: 'Teach2026' }),
    headers: { origin: base },
    redirect: 'manual',
  });
  return cookieOf(answer);
}

it('rotating the secret signs nobody out on any process', async () => {
  const serve = (SESSION_SECRET: string) => startServer({ VAR_DIR: varDir, SESSION_SECRET });
  const open = ({ base }: RunningServer, cookie: string) =>
    fetch(`${base}/homework`, { headers: { cookie }, redirect: 'manual' });

  const before = await serve(former);
  const old = await signIn(before);
  await before.stop();
  // All processes must accept the new secret before any of them signs with it.
  const known = await serve(`${former} ${newer}`);
  const signing = await serve(`${newer} ${former}`);
  const page = await open(signing, old);
  const exchanged = cookieOf(page);
  expect([page.status, exchanged.startsWith('session=')]).toEqual([200, true]);
  expect([(await open(known, old)).status, (await open(known, exchanged)).status]).toEqual([200, 200]);
  // The cookie is exchanged once. Later pages set none.
  expect((await open(signing, exchanged)).headers.getSetCookie()).toEqual([]);

  await Promise.all([known.stop(), signing.stop()]);
  const after = await serve(newer);
  expect([(await open(after, exchanged)).status, (await open(after, old)).status]).toEqual([200, 302]);
  await after.stop();
});
