/** Serves the built product over a test school to a browser. Rows that a test inserts appear on the screens. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { BrowserContext } from 'playwright-core';
import { openApp, signInAs } from './app.ts';
import type { TestSchool } from './school.ts';

const built = path.resolve(import.meta.dirname, '../../build/client');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface SchoolServer {
  base: string;
  /** Signs this browser context in. */
  signIn(context: BrowserContext, name: keyof TestSchool['people']): Promise<void>;
  /** If true, cuts every connection without a response. */
  setDown(isDown: boolean): void;
  /** Milliseconds by which every response is delayed. */
  setDelay(delay: number): void;
  /** Requests that the server has received, the latest last. */
  asked: { method: string; path: string }[];
  close(): Promise<void>;
}

export async function serveSchool(school: TestSchool): Promise<SchoolServer> {
  const app = await openApp(school);
  let isDown = false;
  let delay = 0;
  const asked: SchoolServer['asked'] = [];
  const listener = getRequestListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    const asset = /^\/(?:static\/(assets\/[\w.~-]+)|(icon\.svg))$/.exec(pathname)?.slice(1).find(Boolean);
    if (asset) {
      const bytes = await readFile(path.join(built, asset)).catch(() => undefined);
      if (!bytes) return new Response('', { status: 404 });
      return new Response(new Uint8Array(bytes), {
        headers: {
          // The request was prepared, so an asset may be asked for in its Brotli form.
          'content-type': types[path.extname(asset.replace(/\.br$/, ''))] ?? 'application/octet-stream',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      });
    }
    asked.push({ method: request.method, path: pathname + search });
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    return app.fetch(request);
  });
  const server = createServer((request, response) => {
    if (isDown) request.socket.destroy();
    else void listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  const base = `http://localhost:${port}`;
  return {
    base,
    asked,
    async signIn(context, name) {
      const { cookies } = await signInAs(school, app, name);
      await context.addCookies([{ name: 'session', value: cookies.get('session') ?? '', url: base }]);
    },
    setDown(down) {
      isDown = down;
    },
    setDelay(milliseconds) {
      delay = milliseconds;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
