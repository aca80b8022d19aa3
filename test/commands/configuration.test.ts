import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { settingsTable, shownConfiguration } from '#server/platform/configuration/command.ts';
import { readConfiguration, wrongSettingsExitCode } from '#server/platform/configuration/read.mjs';
import { setting } from '#server/platform/configuration/setting.ts';
import { settingNames } from '#server/platform/configuration/settings.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'configuration-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeTemporary = (name: string, content: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};
const faultsOf = (environment: Record<string, string>) => readConfiguration(environment).faults;
const secret = 'a'.repeat(32);

describe('effective settings', () => {
  test("prefer the environment, then a setting's file, then the shared file, then the default", () => {
    const CONFIG_FILE = writeTemporary('school.env', `# of the school\nPORT=4000\nHOST="127.0.0.1"\nLOG_LEVEL=warn\n`);
    const DATABASE_URL_FILE = writeTemporary('database', 'postgres://li@db/school\n');
    const { values, faults } = readConfiguration({ PORT: '5000', LOG_LEVEL: '', CONFIG_FILE, DATABASE_URL_FILE });
    expect(faults).toEqual([]);
    expect(values.PORT).toEqual({ value: '5000', from: 'environment' });
    expect(values.HOST).toEqual({ value: '127.0.0.1', from: CONFIG_FILE });
    expect(values.LOG_LEVEL).toEqual({ value: 'warn', from: CONFIG_FILE });
    expect(values.DATABASE_URL).toEqual({ value: 'postgres://li@db/school', from: DATABASE_URL_FILE });
    expect(values.VAR_DIR).toEqual({ value: 'var', from: 'default' });
  });

  test('are parsed by type', () => {
    vi.stubEnv('API_TIMEOUT', '250');
    vi.stubEnv('TRUST_PROXY', '1');
    vi.stubEnv('SESSION_SECRET', `${secret} ${'b'.repeat(40)}`);
    expect([setting('API_TIMEOUT'), setting('TRUST_PROXY'), setting('SESSION_SECRET')]).toEqual([
      250,
      1,
      [secret, 'b'.repeat(40)],
    ]);
    vi.stubEnv('API_TIMEOUT', '');
    vi.stubEnv('TRUST_PROXY', '');
    expect([setting('API_TIMEOUT'), setting('TRUST_PROXY'), setting('BBB_URL')]).toEqual([10_000, 0, '']);
    vi.unstubAllEnvs();
  });

  test('are shown with source and without secrets', () => {
    const configurationText = (environment: Record<string, string>) => shownConfiguration(environment).lines.join('\n');
    const text = configurationText({ SESSION_SECRET: secret, BBB_SECRET: 'hush', PORT: '4000' });
    expect(text).not.toContain('hush');
    expect(text).not.toContain(secret);
    expect(text).toMatch(/^SESSION_SECRET +\*{8} +environment$/m);
    expect(text).toMatch(/^PORT +4000 +environment$/m);
    expect(text).toMatch(/^DATABASE_URL +\(SQLite in the data folder\) +default$/m);
  });
});

describe('configuration errors', () => {
  test('are listed together without values', () => {
    const faults = faultsOf({
      PORT: 'abc',
      API_TIMEOUT: '0',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
      LIVE_URL: 'https://{host}/room',
      SMS_WEBHOOK_URL: 'hush',
      S3_ENDPOINT: 'https://s3.test',
      S3_ACCESS_KEY: 'hush',
      BBB_SECRET: 'hush',
      SESSION_SECRET: 'hush',
      DATABSE_URL: 'postgres://li:hush@db/school',
    });
    expect(faults).toEqual([
      'PORT is to be a whole number from 0 to 65535',
      'SESSION_SECRET is too short: 32 characters at least',
      'API_TIMEOUT is to be a whole number from 1 to 600000',
      'TRUST_PROXY is to be how many proxies stand in front (0 to 9), or their addresses, as 10.0.0.0/8, parted by blanks',
      'LIVE_URL is to be an address whose scheme (http or https) and host are written out',
      'SMS_WEBHOOK_URL is to be an address with http:// or https://',
      'LOG_LEVEL is to be one of fatal, error, warn, info, debug, trace, silent',
      'S3_ACCESS_KEY and S3_SECRET_KEY are given both, or neither',
      'S3_ENDPOINT is given without S3_BUCKET',
      'BBB_URL and BBB_SECRET are given both, or neither',
      'DATABSE_URL is no setting: DATABASE_URL is meant',
    ]);
  });

  test.each([
    ['an empty secret', { SESSION_SECRET: '' }, 'SESSION_SECRET is empty: leave it out, and one is made'],
    [
      'three secrets',
      { SESSION_SECRET: `${secret} ${secret} ${secret}` },
      'SESSION_SECRET is to be one secret, or two parted by a blank',
    ],
    [
      'a demo school in a named database',
      { DATABASE_URL: 'postgres://db/school', DEMO: '1' },
      'DEMO=1 is for SQLite alone: no demo school is served from a database that somebody named',
    ],
    [
      'a secret said twice',
      { DATABASE_URL: 'postgres://db/a', DATABASE_URL_FILE: 'package.json' },
      'DATABASE_URL and DATABASE_URL_FILE are both given',
    ],
    [
      'a file that is not there',
      { CONFIG_FILE: '/nowhere/school.env' },
      'CONFIG_FILE names /nowhere/school.env, which cannot be read (ENOENT)',
    ],
    [
      'one port for the figures and the pages',
      { PORT: '9101', METRICS_PORT: '9100', WEB_CONCURRENCY: '2' },
      'METRICS_PORT and PORT are the same: each is to have one of its own',
    ],
    ['letters exchanged', { TRUST_PORXY: '1' }, 'TRUST_PORXY is no setting: TRUST_PROXY is meant'],
  ])('are explained: %s', (_, environment, fault) => {
    expect(faultsOf(environment)).toEqual([fault]);
  });

  test('include unknown names in the file', () => {
    const CONFIG_FILE = writeTemporary('school.env', 'POSTGRES_URL=x\nLOGLEVEL=warn\n');
    expect(faultsOf({ CONFIG_FILE })).toEqual([
      `LOGLEVEL in ${CONFIG_FILE} is no setting: LOG_LEVEL is meant`,
      `POSTGRES_URL in ${CONFIG_FILE} is no setting`,
    ]);
  });

  test('include ignored or truncated lines by number', () => {
    const CONFIG_FILE = writeTemporary(
      'school.env',
      [
        '# of the school',
        'PORT: 3000',
        'DATABASE_URL postgres://li:hush@db/school',
        'export LOG_LEVEL=warn # as an hour ago',
        'BACKUP_PASSPHRASE=half of a long #hush#hush',
        'METRICS_TOKEN="hush#hush-hush-hush-hush-hush-hush"',
        "S3_REGION='here' there",
        'SMS_WEBHOOK_URL=https://sms.test/#hush',
        'LOG_LEVEL=info',
        'HOST="127.0.0.1',
      ].join('\r\n'),
    );
    expect(faultsOf({ CONFIG_FILE }).filter((fault) => fault.startsWith('line'))).toEqual([
      `line 2 of ${CONFIG_FILE} is not NAME=value`,
      `line 3 of ${CONFIG_FILE} is not NAME=value`,
      `line 7 of ${CONFIG_FILE} goes on after the quote at its end`,
      `line 8 of ${CONFIG_FILE} has a # in its value, which would be cut off there: put the value in quotes`,
      `line 9 of ${CONFIG_FILE} gives LOG_LEVEL a second time`,
      `line 10 of ${CONFIG_FILE} begins with a quote that does not end`,
    ]);
    expect(faultsOf({ CONFIG_FILE }).join()).not.toMatch(/hush/);
  });

  test('include unreadable or empty secret files, once', () => {
    const S3_SECRET_KEY_FILE = writeTemporary('key', '\n');
    const CONFIG_FILE = writeTemporary('school.env', 'DATABASE_URL_FILE=/nowhere/database\nDATABASE_POOLER=1\n');
    const environment = { CONFIG_FILE, S3_ACCESS_KEY: 'li', S3_SECRET_KEY_FILE, S3_BUCKET: 'school' };
    expect(faultsOf(environment)).toEqual([
      'DATABASE_URL_FILE names /nowhere/database, which cannot be read (ENOENT)',
      `S3_SECRET_KEY_FILE names ${S3_SECRET_KEY_FILE}, which is empty`,
    ]);
    const { values } = readConfiguration({
      CONFIG_FILE: writeTemporary('other.env', `METRICS_TOKEN_FILE=${writeTemporary('token', `${secret}\n`)}\n`),
    });
    expect(values.METRICS_TOKEN.value).toBe(secret);
  });

  test("ignore other programs' variables", () => {
    const others = [
      'HOSTNAME',
      'PATH',
      'HOME',
      'PORTS',
      'DEMOS',
      'SITE_URL',
      'AWS_REGION',
      'NODE_OPTIONS',
      'LANG',
      'USER',
    ];
    expect(faultsOf(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  test('end start and commands with 78 before anything is created, as does a taken port', async () => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    const run = (args: string[], environment: Record<string, string>) =>
      promisify(execFile)(process.execPath, args, { env: { ...process.env, VAR_DIR: folder, ...environment } }).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
      );
    const wrong = { LOG_LEVEL: 'loud', DATABSE_URL: 'x' };
    const both = `LOG_LEVEL is to be one of fatal, error, warn, info, debug, trace, silent.\nDATABSE_URL is no setting: DATABASE_URL is meant.\n`;
    for (const args of [['start.mjs'], ['run.mjs', 'server/account/staff-command.ts', 'list'], ['config.mjs']]) {
      const ended = await run([`server/platform/commands/${args[0]}`, ...args.slice(1)], wrong);
      expect(ended).toEqual({ code: wrongSettingsExitCode, said: both });
    }
    const refused = await run(['server/platform/commands/start.mjs'], { PORT: String(port) });
    expect(refused).toEqual({ code: 1, said: `Port ${port} is taken, or this user may not open it.\n` });
    taken.close();
  });
});

test('the documentation has the generated table of settings', () => {
  expect(readFileSync('server/docs/settings.md', 'utf8')).toContain(settingsTable());
  expect(settingNames.length).toBeGreaterThan(20);
});

test('the environment is read through declarations only', () => {
  const reads = globSync('{app,server}/**/*.{ts,tsx}').filter(
    (file) => !file.startsWith('server/platform/configuration/') && /\bprocess\.env\b/.test(readFileSync(file, 'utf8')),
  );
  expect(reads).toEqual([]);
});
