/** All outgoing calls pass through one function, which refuses internal addresses. */

import dns from 'node:dns';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fetchOutgoing,
  internalAddressMessage,
  isInternalAddress,
  isInternalAddressError,
} from '#server/platform/outgoing/fetch.ts';

/** Files that call addresses set by the operator alone. */
const ofTheOperator: Record<string, string> = {
  'app/api/remote.server.ts': 'API_BASE_URL',
};

describe('every outgoing call of the server', () => {
  const files = globSync('{server,app}/**/*.{ts,tsx,mjs}').filter((file) => !/\.island\.tsx?$/.test(file));
  const runsInBrowser = (file: string) => file.startsWith('app/') && !/\.server\.ts$/.test(file);
  /** Without comments, and methods named fetch. */
  const codeOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

  it('goes through fetchOutgoing', () => {
    const others = files
      .filter((file) => !runsInBrowser(file) && file !== 'server/platform/outgoing/fetch.ts')
      .filter((file) => /(?:await|return|=>|\()\s*(?:globalThis\.)?fetch\(\s*[^)]/.test(codeOf(file)))
      .filter((file) => !(file in ofTheOperator));
    expect(others).toEqual([]);
  });

  it('uses no other HTTP client', () => {
    const clients =
      /\bhttps?\.(?:request|get)\(|from '(?:undici|axios|got|node-fetch)'|from 'node:(?:https|http2)'|\bnew WebSocket\(|\{[^}]*\brequest\b[^}]*\} from 'node:https?'/;
    expect(files.filter((file) => clients.test(codeOf(file)))).toEqual(['server/platform/outgoing/fetch.ts']);
  });

  it('goes through fetchOutgoing also in OpenID libraries', () => {
    for (const file of files) {
      const code = codeOf(file);
      const count = (pattern: RegExp) => code.match(pattern)?.length ?? 0;
      const asking = count(/\bcreateRemoteJWKSet\(/g) + count(/\bclient\.(?:discovery|dynamicClientRegistration)\(/g);
      expect([file, count(/\[(?:client\.customFetch|keysFetch)\]: /g)]).toEqual([file, asking]);
    }
  });
});

describe('an internal address', () => {
  const asked: string[] = [];
  const receiver = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('inner secret');
  });
  let port = 0;
  beforeAll(async () => {
    receiver.listen(0, '::');
    await once(receiver, 'listening');
    ({ port } = receiver.address() as AddressInfo);
  });
  afterAll(() => new Promise((closed) => receiver.close(closed)));
  beforeEach(() => {
    vi.stubEnv('OUTGOING_HOSTS', '');
    asked.length = 0;
    return () => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    };
  });
  const failure = (address: string) =>
    fetchOutgoing(address, { signal: AbortSignal.timeout(3_000) }).then(
      ({ status }) => status,
      (error: Error) => (isInternalAddressError(error) ? internalAddressMessage : error),
    );

  it.each([
    '127.0.0.1',
    '127.1',
    '127.255.3.9',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])('is refused as %s, without a connection', async (host) => {
    expect(isInternalAddress(`http://${host}:${port}/`)).toBe(true);
    expect(await failure(`http://${host}:${port}/`)).toBe(internalAddressMessage);
    expect(await failure(`https://${host}:${port}/`)).toBe(internalAddressMessage);
    expect(asked).toEqual([]);
  });

  it.each([
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.100.100.200',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
    '224.0.0.1',
    '255.255.255.255',
  ])('is refused as %s before any connection', async (host) => {
    expect(isInternalAddress(`https://${host}/latest/meta-data`)).toBe(true);
    expect(await failure(`http://${host}/latest/meta-data`)).toBe(internalAddressMessage);
  });

  it('is refused when a name resolves to it, also after the name was checked', async () => {
    const answers = [
      ['127.0.0.1', 4],
      ['::1', 6],
      ['10.0.0.1', 4],
    ] as const;
    for (const [address, family] of answers) {
      vi.spyOn(dns, 'lookup').mockImplementation(((
        _name: string,
        _options: object,
        done: (...sent: unknown[]) => void,
      ) => done(null, [{ address, family }])) as never);
      expect(isInternalAddress(`http://rebinding.example:${port}/`)).toBe(false);
      expect(await failure(`http://rebinding.example:${port}/`)).toBe(internalAddressMessage);
      expect(await failure(`https://rebinding.example:${port}/`)).toBe(internalAddressMessage);
    }
    expect(asked).toEqual([]);
  });

  it('is not any of these public addresses', () => {
    for (const host of ['1.1.1.1', '8.8.8.8', '223.5.5.5', '172.32.0.1', '[2400:3200::1]', 'sso.example.edu.cn']) {
      expect([host, isInternalAddress(`https://${host}/`)]).toEqual([host, false]);
    }
  });

  it('is refused in every notation of a loopback or private number', async () => {
    const first = fc.constantFrom(10, 127, 0xc0a80000 >>> 16);
    await fc.assert(
      fc.property(first, fc.nat(0xffffff), fc.constantFrom(10, 16, 8), (begin, rest, base) => {
        const number = begin > 255 ? begin * 65_536 + (rest & 0xffff) : begin * 16_777_216 + rest;
        const written = base === 16 ? `0x${number.toString(16)}` : base === 8 ? `0${number.toString(8)}` : `${number}`;
        expect(isInternalAddress(`http://${written}/`)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['127.0.0.1', 'localhost 127.0.0.1', '127.0.0.1:PORT', '0x7f000001:PORT', '10.0.0.1, 127.0.0.1'])(
    'is allowed if the operator lists it as %s',
    async (hosts) => {
      vi.stubEnv('OUTGOING_HOSTS', hosts.replace('PORT', String(port)));
      expect(isInternalAddress(`http://127.0.0.1:${port}/`)).toBe(false);
      expect(await failure(`http://127.0.0.1:${port}/here`)).toBe(200);
      expect(asked).toEqual(['/here']);
    },
  );

  it('is refused if only another port of the host is listed', async () => {
    vi.stubEnv('OUTGOING_HOSTS', `127.0.0.1:${port + 1}`);
    expect(await failure(`http://127.0.0.1:${port}/`)).toBe(internalAddressMessage);
  });

  it('is allowed below an address from the environment, and only there', async () => {
    vi.stubEnv('BBB_URL', `http://127.0.0.1:${port}/bigbluebutton/`);
    expect(await failure(`http://127.0.0.1:${port}/bigbluebutton/api/create`)).toBe(200);
    expect(await failure(`http://127.0.0.1:${port}/other`)).toBe(internalAddressMessage);
    expect(await failure(`http://127.0.0.1:${port + 1}/bigbluebutton/api`)).toBe(internalAddressMessage);
  });
});

describe('fetchOutgoing', () => {
  it('answers like fetch but follows no redirect', async () => {
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (request.url === '/moved') return void response.writeHead(302, { location: '/secret' }).end();
      if (request.url === '/empty') return void response.writeHead(204).end();
      if (request.url === '/silent') return;
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] });
      const { 'content-type': type, 'content-length': length, 'x-own': own } = request.headers;
      response.end(
        JSON.stringify({ method: request.method, type, length, own, body: Buffer.concat(parts).toString() }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const body = new URLSearchParams({ code: '验证 1' });
    const posted = await fetchOutgoing(base, { method: 'POST', body, headers: { 'x-own': 'y' } });
    expect(posted.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([posted.status, await posted.json()]).toEqual([
      201,
      {
        method: 'POST',
        type: 'application/x-www-form-urlencoded;charset=UTF-8',
        length: String(String(body).length),
        own: 'y',
        body: String(body),
      },
    ]);
    const moved = await fetchOutgoing(`${base}/moved`);
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/secret']);
    expect([(await fetchOutgoing(`${base}/empty`)).status]).toEqual([204]);
    await expect(fetchOutgoing(`${base}/silent`, { signal: AbortSignal.timeout(50) })).rejects.toThrow(
      expect.objectContaining({ name: 'TimeoutError' }),
    );
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await expect(fetchOutgoing(base)).rejects.toThrow(TypeError);
  });
});
