/**
 * Lists the screens of the large school: one address of each screen, tab and dialog. Serves a page as a static file.
 */

import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { demoAccounts } from '#server/demo/accounts.ts';
import { crawl, screenOf } from '../support/crawl.ts';
import { findIds } from '../support/record-ids.ts';
import type { SendRequest } from '../support/requests.ts';
import { screenAddresses } from '../support/screen-addresses.ts';
import { type BenchServer, signIn } from './server.ts';

export interface Screen {
  cookie: string;
  address: string;
}

/** Cost of the same HTML as static files of the same server, and the file's address. */
const staticFile = path.resolve('build/client/bench-static.html');
export const staticAddress = '/static/bench-static.html';
export const layStatic = (html: string) => writeFileSync(staticFile, html);
export const dropStatic = () => rmSync(staticFile, { force: true });

/** Finds one address of every screen that a lecturer or an assistant can reach. */
export async function findScreens(server: BenchServer): Promise<Screen[]> {
  const found = new Map<string, Screen>();
  for (const { username, password, identity } of demoAccounts.slice(0, 2)) {
    const cookie = await signIn(server.base, username, password);
    const ids = await findIds(await senderFor(server, username, password), identity, Math.floor(Date.now() / 1000));
    const visit = async (address: string) => {
      const answer = await fetch(server.base + address, { headers: { cookie }, redirect: 'manual' });
      const html = await answer.text();
      const isPage = answer.status === 200 && /^text\/html/.test(answer.headers.get('content-type') ?? '');
      const name = `${username} ${screenOf(address)}`;
      if (isPage && !found.has(name)) found.set(name, { cookie, address });
      return { status: answer.status, html, location: answer.headers.get('location') };
    };
    await crawl(visit, { from: ['/', ...screenAddresses(ids)], each: 1, eachScreen: 1 });
  }
  return [...found.values()];
}

async function senderFor({ base }: BenchServer, username: string, password: string): Promise<SendRequest> {
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username, password }),
  });
  const { token } = (await login.json()).data;
  return async ({ method, address, body }) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? json : {}) };
    const answer = await fetch(base + address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };
}
