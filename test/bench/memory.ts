/** Measures the server's memory: at start, after every screen, at rest, and after useless bodies. */
import http from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { findScreens } from './screens.ts';
import { type BenchServer, get, startServer } from './server.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

const mega = 1024 * 1024;
const inMegabytes = (bytes: number) => `${Math.round(bytes / mega)} MB`;

interface MemoryOptions {
  quick: boolean;
  /** Memory of PostgreSQL. */
  databaseUrl?: string | undefined;
}

export async function measureMemory(varDir: string, note: Note, { quick, databaseUrl }: MemoryOptions): Promise<void> {
  const server = await startServer({ port: 4397, varDir, databaseUrl });
  try {
    await wait(1000);
    const start = server.memory();
    note('resident memory at start', inMegabytes(start), '≤ 200 MB', start <= 200 * mega);

    const screens = await findScreens(server);
    const load = quick ? 2_000 : 20_000;
    await turns(server, screens, load / 2);
    const half = server.memory();
    await turns(server, screens, load / 2);
    const whole = server.memory();
    note(
      `resident memory after ${load} requests of ${screens.length} screens in turn`,
      `${inMegabytes(whole)}; ${inMegabytes(half)} after half of them`,
      '≤ 330 MB',
      whole <= 330 * mega,
    );
    await turns(server, screens, load / 4);
    const later = server.memory();
    note(
      `resident memory after ${load / 4} more`,
      inMegabytes(later),
      `≤ ${inMegabytes(whole * 1.05)}`,
      later <= whole * 1.05,
    );

    await wait(10_000);
    const rested = server.memory();
    note('resident memory ten seconds after them', inMegabytes(rested), '≤ 330 MB', rested <= 330 * mega);

    for (const [, body] of bodies) await thrown(server, body());
    await wait(3000);
    const after = server.memory();
    note(
      `resident memory after bodies thrown at it: ${bodies.map(([name]) => name).join(', ')}`,
      inMegabytes(after),
      `≤ ${inMegabytes(later * 1.1)}`,
      after <= later * 1.1,
    );
  } finally {
    await server.stop();
  }
}

async function turns({ base }: BenchServer, screens: Awaited<ReturnType<typeof findScreens>>, count: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  let next = 0;
  const ask = async () => {
    while (next < count) {
      const screen = screens[next % screens.length];
      next += 1;
      if (screen) await get(agent, base + screen.address, screen.cookie);
    }
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  agent.destroy();
}

// ---- Bodies --------------------------------------------------------------------------------------

interface Body {
  headers: http.OutgoingHttpHeaders;
  content: Iterable<Buffer>;
}

const repeated = function* (piece: string, bytes: number): Generator<Buffer> {
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (let sent = 0; sent < bytes; sent += block.length) yield block;
};
const form = 'application/x-www-form-urlencoded';

const bodies: [name: string, body: () => Body][] = [
  ['3 MB of empty fields', () => ({ headers: { 'content-type': form }, content: repeated('a&', 3 * mega) })],
  ['150 MB of one field', () => ({ headers: { 'content-type': form }, content: repeated('a', 150 * mega) })],
  [
    '200 MB of a form with files',
    () => ({
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      content: (function* () {
        for (let field = 0; field < 200; field += 1) {
          yield Buffer.from(`--x\r\nContent-Disposition: form-data; name="f${field}"\r\n\r\n`);
          yield* repeated('a', mega);
          yield Buffer.from('\r\n');
        }
        yield Buffer.from('--x--\r\n');
      })(),
    }),
  ],
];

/**
 * Posts a body to the sign-in page, which is public, in chunks and without a content length. Any refusal is accepted.
 */
function thrown({ base }: BenchServer, { headers, content }: Body): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(`${base}/login`, { method: 'POST', headers: { ...headers, origin: base } });
    request.on('response', (answer) => answer.resume());
    request.on('error', () => resolve());
    request.on('close', () => resolve());
    Readable.from(content).pipe(request);
  });
}
