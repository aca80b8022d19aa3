/** @module-tag thorough */
/**
 * Disaster drill: a backup during grading and submissions is restored on another machine with everything acknowledged
 * before it began.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { runCommand } from '../support/commands.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { grade, prepareGrading, type Scene, type Storm } from '../support/graders.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { smallDisk } from '../support/small-disk.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const password = 'Secret2026';
const backup = (words: string[], environment: Record<string, string>) =>
  runCommand('server/backup/command.ts', words, environment);

/** Session cookie of a form sign-in. */
async function signIn(base: string, username: string): Promise<string> {
  const answer = await fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
    headers: { origin: base },
    redirect: 'manual',
  });
  expect(answer.status).toBe(302);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

describeEngines('lost school', (engine) => {
  let folder: string;
  const databases: TestDatabase[] = [];
  const servers: RunningServer[] = [];
  let scene: Scene;
  let archive: string;

  const newDatabase = async (): Promise<string> => {
    if (engine === 'SQLite') return '';
    const database = await createDatabase();
    if (!database) throw new Error('no PostgreSQL');
    databases.push(database);
    return database.url;
  };
  const place = (name: string, url: string) => ({ VAR_DIR: path.join(folder, name), DATABASE_URL: url });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drill-'));
    await mkdir(path.join(folder, 'lost'));
    archive = path.join(folder, 'backup.tar.zst');
    scene = await prepareGrading(engine, path.join(folder, 'lost'), (await newDatabase()) || undefined);
    const database = openDatabase(scene.location);
    const hash = await hashPassword(password);
    await database.db.updateTable('staff').set({ password_hash: hash }).execute();
    await database.destroy();
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const database of databases) await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is restored with everything acknowledged before the backup', async () => {
    const server = await startServer(scene.environment);
    servers.push(server);
    const cookie = await signIn(server.base, 'teacher');
    const headers = { authorization: `Bearer ${scene.token}` };
    const storm: Storm = { acknowledged: new Map(), statuses: new Map(), cutOff: 0 };
    /** Stored pictures by address with their bytes. */
    const uploaded = new Map<string, string>();
    let stopped = false;
    let grades = 0;
    const grader = async (reports: number[]) => {
      for (let turn = 0; !stopped; turn += 1) {
        await grade(scene, storm, reports[turn % reports.length] as number, () => server.base);
        grades += 1;
      }
    };
    const uploader = async () => {
      for (let number = 0; !stopped; number += 1) {
        const background = { r: number % 256, g: number >> 8, b: 7 };
        const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
          .png()
          .toBuffer();
        const form = new FormData();
        form.set('file', new File([new Uint8Array(picture)], `${number}.png`));
        const answer = await fetch(`${server.base}/api/lector/public/file`, { method: 'POST', headers, body: form });
        const { data } = (await answer.json()) as { data: { path: string } };
        uploaded.set(data.path, picture.toString('base64'));
      }
    };
    const shares = [0, 1, 2].map((share) => scene.reports.filter((_, index) => index % 3 === share));
    const working = [...shares.map(grader), uploader()];
    // Runs on failure as well, so that no worker outlives the test.
    onTestFinished(async () => {
      stopped = true;
      await Promise.allSettled(working);
    });
    await expect.poll(() => grades > 30 && uploaded.size > 10).toBe(true);

    const before = new Map(storm.acknowledged);
    const filesBefore = new Map(uploaded);
    const gradesBefore = grades;
    const made = await backup(['make', archive], place('lost', scene.environment.DATABASE_URL ?? ''));
    expect(made).toEqual({ code: 0, stdout: expect.stringContaining('read again and compared'), stderr: '' });
    // Work continued during the backup.
    const gradesAfter = grades;
    expect(gradesAfter).toBeGreaterThan(gradesBefore);
    await expect.poll(() => grades > gradesAfter + 10).toBe(true);
    stopped = true;
    await Promise.all(working);
    await server.kill();
    servers.pop();
    await rm(path.join(folder, 'lost'), { recursive: true });
    await databases.pop()?.drop();

    const here = place('here', await newDatabase());
    expect(await backup(['restore', archive], here)).toMatchObject({ code: 0, stderr: '' });
    const restored = await startServer({ ...here, DEMO: '0', LOG_LEVEL: 'silent' });
    servers.push(restored);
    // Sessions and passwords are still valid on the restored server.
    const home = await fetch(`${restored.base}/homework`, { headers: { cookie }, redirect: 'manual' });
    expect(home.status).toBe(200);
    await signIn(restored.base, 'teacher');
    for (const [address, content] of filesBefore) {
      const file = await fetch(`${restored.base}${address}`, { headers: { cookie } });
      expect([file.status, Buffer.from(await file.arrayBuffer()).toString('base64')]).toEqual([200, content]);
    }
    const database = openDatabase(engine === 'SQLite' ? path.join(folder, 'here/school.db') : here.DATABASE_URL);
    try {
      const stored = await database.db
        .selectFrom('answer')
        .innerJoin('report', 'report.id', 'answer.report_id')
        .select(['answer.report_id', 'answer.score', 'answer.version', 'report.subjective_score'])
        .where('answer.question_id', '=', scene.paper.questions.essay)
        .execute();
      expect(before.size).toBeGreaterThan(0);
      for (const [report, { version, score }] of before) {
        const found = stored.find(({ report_id }) => report_id === report);
        expect(found?.version).toBeGreaterThanOrEqual(version);
        if (found?.version === version) expect(found.score).toBe(score * 10);
      }
      expect(stored.map((row) => row.subjective_score)).toEqual(stored.map((row) => row.score));
      await expectCountersToBeRight(database.db);
      // Grading continues.
      const [first] = stored;
      if (!first) throw new Error('no report');
      const going: Storm = {
        acknowledged: new Map([[first.report_id, { score: (first.score ?? 0) / 10, version: first.version }]]),
        statuses: new Map(),
        cutOff: 0,
      };
      await grade(scene, going, first.report_id, () => restored.base);
    } finally {
      await database.destroy();
    }

    // A restore does not overwrite data without `--replace`, and never under a running server.
    expect(await backup(['restore', archive], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give --replace'),
    });
    expect(await backup(['restore', archive, '--replace'], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stop the server first'),
    });
    await restored.end('SIGTERM');
    const replaced = await backup(['restore', archive, '--replace'], here);
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
    const point = /What was there before is in (.*)\.$/m.exec(replaced.stdout)?.[1] ?? '';
    expect(await backup(['verify', point], here)).toMatchObject({ code: 0, stderr: '' });

    // An archive cut anywhere is invalid. The compressor may end with a few empty 13-byte frames.
    const bytes = await readFile(archive);
    const broken = path.join(folder, 'broken.tar.zst');
    for (const length of [0, 100, bytes.length >> 1, bytes.length - 60]) {
      await writeFile(broken, bytes.subarray(0, length));
      expect(await backup(['verify', broken], here)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/no backup|cut off|damaged/),
      });
    }
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(broken, bytes);
    expect(await backup(['restore', broken, '--replace'], here)).toMatchObject({ code: 1 });
    // A refusal changes nothing.
    expect(await backup(['make', path.join(folder, 'again.tar.zst')], here)).toMatchObject({ code: 0, stderr: '' });
  }, 900_000);

  it('refuses a backup of another engine or newer version', async () => {
    const here = place('elsewhere', await newDatabase());
    const other = engine === 'SQLite' ? 'PostgreSQL' : 'SQLite';
    const changeArchive = async (name: string, change: (about: Record<string, unknown>) => void) => {
      const file = path.join(folder, name);
      await rewriteAbout(archive, file, change);
      return file;
    };
    const foreign = await changeArchive('foreign.tar.zst', (about) => {
      about.engine = engine === 'SQLite' ? 'postgres' : 'sqlite';
    });
    expect(await backup(['restore', foreign], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`it can be restored into ${other} alone`),
    });
    const newer = await changeArchive('newer.tar.zst', (about) => {
      about.migrations = [...(about.migrations as string[]), '9999-later'];
    });
    expect(await backup(['restore', newer], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('restore it with that version'),
    });
    const before1 = await changeArchive('before-1.tar.zst', (about) => {
      about.migrations = ['0001-school', '0002-homework'];
    });
    expect(await backup(['restore', before1], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot migrate: restore it with that version'),
    });
    const none = path.join(folder, 'none.tar.zst');
    expect(await backup(['restore', none], here)).toMatchObject({ code: 1, stderr: `There is no file ${none}.\n` });
    expect(await backup(['restore', folder], here)).toMatchObject({ code: 1, stderr: `${folder} cannot be read.\n` });
  });
});

/** Rewrites the header of the archive; its content stays the same. */
async function rewriteAbout(from: string, to: string, change: (about: Record<string, unknown>) => void): Promise<void> {
  const { readArchive, writeArchive, entryOf, entryNames: names } = await import('#server/backup/archive.ts');
  const keys = { recipient: '', passphrase: '', identity: '' };
  async function* entries() {
    for await (const entry of readArchive(from, keys)) {
      if (entry.name !== names.about) yield entry;
      else {
        const chunks: Uint8Array[] = [];
        for await (const chunk of entry.bytes) chunks.push(chunk);
        const about = JSON.parse(Buffer.concat(chunks).toString());
        change(about);
        yield entryOf(names.about, JSON.stringify(about));
      }
    }
  }
  await writeArchive(to, entries(), { keys, at: 0 });
}

describe('encrypted backup', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'encrypted-'));
    await prepareGrading('SQLite', path.join(folder, 'school'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('opens with its key or passphrase only', async () => {
    const { generateIdentity, identityToRecipient } = await import('age-encryption');
    const identity = await generateIdentity();
    const recipient = await identityToRecipient(identity);
    const here = { VAR_DIR: path.join(folder, 'school') };
    const [keyed, worded] = ['keyed', 'worded'].map((name) => path.join(folder, `${name}.tar.zst.age`)) as [
      string,
      string,
    ];
    const written = await backup(['make', keyed, '--recipient', recipient], here);
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('not read again'), stderr: '' });
    const passphrase = 'correct horse battery';
    expect(await backup(['make', worded], { ...here, BACKUP_PASSPHRASE: passphrase })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('read again and compared'),
    });
    for (const file of [keyed, worded]) {
      expect((await readFile(file)).includes('about')).toBe(false);
      expect(await backup(['verify', file], here)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is encrypted: give its key'),
      });
    }
    expect(await backup(['verify', keyed], { ...here, BACKUP_IDENTITY: identity })).toMatchObject({ code: 0 });
    expect(await backup(['verify', worded], { ...here, BACKUP_PASSPHRASE: `${passphrase}s` })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not encrypted for this key'),
    });
    // One wrong letter in a key is reported on the screens.
    const mistyped = (key: string) =>
      key.replace(/..$/, ([one = '', other = '']) => (one === other ? `${one}9` : other + one));
    const wrong = mistyped(recipient);
    expect(await backup(['make', keyed], { ...here, BACKUP_RECIPIENT: wrong })).toMatchObject({
      code: 1,
      stderr: `${wrong} is no public key of age: a letter of it is wrong, or some are missing.\n`,
    });
    expect(await backup(['verify', keyed], { ...here, BACKUP_IDENTITY: mistyped(identity) })).toMatchObject({
      code: 1,
      stderr: 'BACKUP_IDENTITY is no private key of age: a letter of it is wrong, or some are missing.\n',
    });
    const there = { VAR_DIR: path.join(folder, 'there'), BACKUP_PASSPHRASE: passphrase };
    expect(await backup(['restore', worded], there)).toMatchObject({ code: 0 });
    await cp(path.join(folder, 'there/school.db'), path.join(folder, 'copy.db'));
    const database = openDatabase(path.join(folder, 'copy.db'));
    expect(await database.db.selectFrom('staff').select('id').execute()).not.toEqual([]);
    await database.destroy();
  });
});

describe('damaged database file', () => {
  it('counts as a school, and is replaced if no copy is wanted', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'damaged-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const here = { VAR_DIR: path.join(folder, 'school') };
    await prepareGrading('SQLite', here.VAR_DIR);
    const archive = path.join(folder, 'school.tar.zst');
    expect(await backup(['make', archive], here)).toMatchObject({ code: 0 });
    const file = path.join(here.VAR_DIR, 'school.db');
    for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
    await writeFile(file, 'no database any more'.repeat(1000));
    expect(await backup(['make'], here)).toMatchObject({
      code: 1,
      stderr: 'The file of the database is damaged: restore a backup in its place.\n',
    });
    expect(await backup(['restore', archive], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds a school'),
    });
    expect(await backup(['restore', archive, '--replace'], here)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is damaged and cannot be copied before\. .*--no-restore-point\.$/m),
    });
    expect(await backup(['restore', archive, '--replace', '--no-restore-point'], here)).toMatchObject({ code: 0 });
    const database = openDatabase(file);
    expect(await database.db.selectFrom('staff').select('id').execute()).not.toEqual([]);
    await database.destroy();
  });
});

describe('backup on a full disk', () => {
  const disk = smallDisk(1);
  const missing = 'missing' in disk ? disk.missing : undefined;
  afterAll(() => 'remove' in disk && disk.remove());

  it.skipIf(missing)(
    `says so, and leaves nothing there${missing ? ` (${missing})` : ''}`,
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'no-room-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await prepareGrading('SQLite', folder);
      const there = 'folder' in disk ? disk.folder : '';
      expect(await backup(['make', path.join(there, 'school.tar.zst')], { VAR_DIR: folder })).toMatchObject({
        code: 1,
        stderr: 'The disk is full.\n',
      });
      expect(await readdir(there)).toEqual([]);
      const database = openDatabase(path.join(folder, 'school.db'));
      onTestFinished(() => database.destroy());
      expect(await database.db.selectFrom('backup').select(['verdict', 'reason']).execute()).toEqual([
        { verdict: 'failed', reason: 'disk_full' },
      ]);
    },
    60_000,
  );
});

describeEngines('demo school with function indexes', (engine) => {
  it('restores its backups', async () => {
    const school = await openDemoSchool(engine);
    const folder = await mkdtemp(path.join(tmpdir(), 'searched-'));
    onTestFinished(async () => {
      await school.close();
      await rm(folder, { recursive: true, force: true });
    });
    const here: Record<string, string> =
      engine === 'PostgreSQL'
        ? { VAR_DIR: folder, DATABASE_URL: school.database.location }
        : { VAR_DIR: path.dirname(school.database.location) };
    expect(await backup(['make', path.join(folder, 'school.tar.zst')], here)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('read again and compared'),
    });
  });
});
