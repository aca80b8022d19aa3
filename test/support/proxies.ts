/** Starts nginx, HAProxy or Caddy of the system with the published sample configuration, but other ports and files. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './ports.ts';

export const proxyNames = ['nginx', 'haproxy', 'caddy'] as const;
export type ProxyName = (typeof proxyNames)[number];

const programs: Record<ProxyName, string> = {
  nginx: '/usr/sbin/nginx',
  haproxy: '/usr/sbin/haproxy',
  caddy: '/usr/bin/caddy',
};

/** Returns why the proxy cannot be tested on this machine. Undefined if it can. */
export function missingProxy(name: ProxyName): string | undefined {
  const lacking = [programs[name], '/usr/bin/openssl'].filter((file) => !existsSync(file));
  return lacking.length === 0 ? undefined : `${lacking.join(' and ')} is not installed`;
}

export interface StartedProxy {
  /** HTTPS port. */
  port: number;
  plainPort: number;
  /** The proxy's TLS certificate. */
  certificate: string;
  stop(): Promise<void>;
}

const sample = (file: string) => readFileSync(path.resolve('server/deploy', file), 'utf8');

/** Replaces parts of a sample. Every pattern must match, so that a test fails when the sample changes. */
function replaced(text: string, ...pairs: [RegExp, string | ((found: string) => string)][]): string {
  return pairs.reduce((so, [from, to]) => {
    if (so.search(from) < 0) throw new Error(`the sample has no ${from}`);
    return so.replace(from, to as string);
  }, text);
}

interface Place {
  folder: string;
  port: number;
  plainPort: number;
  /** Ports of at least two servers. Only HAProxy gets more. */
  servers: readonly [number, number, ...number[]];
}

/** Command line of each proxy. Its folder has the files school.crt, school.key and school.pem. */
const commands: Record<ProxyName, (place: Place) => { args: string[]; env?: Record<string, string> }> = {
  nginx: ({ folder, port, plainPort, servers: [one, two] }) => {
    const site = replaced(
      sample('nginx/lectern.conf'),
      [/listen 80;\n {2}listen \[::\]:80;/, `listen ${plainPort};`],
      [/listen 443 ssl http2;\n {2}listen \[::\]:443 ssl http2;/, `listen ${port} ssl http2;`],
      [/127\.0\.0\.1:3001/, `127.0.0.1:${one}`],
      [/127\.0\.0\.1:3002/, `127.0.0.1:${two}`],
      [/\/etc\/lectern\/tls\/school\.crt/, `${folder}/school.crt`],
      [/\/etc\/lectern\/tls\/school\.key/, `${folder}/school.key`],
    );
    writeFileSync(path.join(folder, 'site.conf'), site);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    // Debian's nginx.conf around a site, without its user and paths.
    const whole = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 2;
      events { worker_connections 512; }
      http { access_log off; ${folders} include ${folder}/site.conf; }`;
    writeFileSync(path.join(folder, 'nginx.conf'), whole);
    return { args: ['-p', folder, '-c', path.join(folder, 'nginx.conf')] };
  },
  haproxy: ({ folder, port, plainPort, servers: [one, two, ...more] }) => {
    const whole = replaced(
      sample('haproxy/haproxy.cfg'),
      [/bind :80$/m, `bind 127.0.0.1:${plainPort}`],
      [/bind :443 /, `bind 127.0.0.1:${port} `],
      [/127\.0\.0\.1:3001/g, `127.0.0.1:${one}`],
      [/127\.0\.0\.1:3002/g, `127.0.0.1:${two}`],
      [
        /^ {2}server two .*\n/gm,
        (line) => line + more.map((port) => line.replace(/two .*/, `s${port} 127.0.0.1:${port}`)).join(''),
      ],
      [/\/etc\/lectern\/tls\/school\.pem/, `${folder}/school.pem`],
    );
    writeFileSync(path.join(folder, 'haproxy.cfg'), whole);
    return { args: ['-db', '-f', path.join(folder, 'haproxy.cfg')] };
  },
  caddy: ({ folder, port, plainPort, servers: [one, two] }) => {
    writeFileSync(path.join(folder, 'tls.caddy'), `tls ${folder}/school.crt ${folder}/school.key\n`);
    const env = {
      HTTP_PORT: String(plainPort),
      HTTPS_PORT: String(port),
      SCHOOL: 'localhost',
      TLS: `${folder}/tls.caddy`,
      UPSTREAMS: `127.0.0.1:${one} 127.0.0.1:${two}`,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    return { args: ['run', '--config', path.resolve('server/deploy/caddy/Caddyfile'), '--adapter', 'caddyfile'], env };
  },
};

/** Resolves when the proxy reaches both servers. */
export async function startProxy(name: ProxyName, servers: Place['servers']): Promise<StartedProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  mkdirSync(path.join(folder, 'logs'));
  const file = (one: string) => path.join(folder, one);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('school.key')];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', file('school.crt'), ...subject], {
    stdio: 'ignore',
  });
  const certificate = readFileSync(file('school.crt'), 'utf8');
  writeFileSync(file('school.pem'), certificate + readFileSync(file('school.key'), 'utf8'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const { args, env } = commands[name]({ folder, port, plainPort, servers });
  const child = spawn(programs[name], args, {
    env: { ...process.env, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answers = async () => {
    const answered = await fetch(`http://localhost:${plainPort}/readyz`, { redirect: 'manual' }).catch(() => undefined);
    return answered?.status === 308;
  };
  for (let tries = 0; !(await answers()); tries += 1) {
    if (child.exitCode !== null || tries === 400) throw new Error(`${name} does not answer: ${output}`);
    await wait(25);
  }
  return {
    port,
    plainPort,
    certificate,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended;
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
