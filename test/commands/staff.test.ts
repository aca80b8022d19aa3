import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readStaffCommand, usage } from '#server/account/staff-arguments.ts';
import { runStaffCommand } from '#server/account/staff-command.ts';
import { passwordMatches } from '#server/platform/auth/password.ts';
import { applicationOf } from '#server/platform/auth/service-token.ts';
import { actorOf, issueToken } from '#server/platform/auth/sign-in.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { defaultPolicy, schoolLogo, schoolSettings } from '#server/school/settings.ts';

const now = 1_795_147_200;
let database: OpenDatabase;

beforeEach(async () => {
  await database?.destroy();
  database = openDatabase(':memory:');
  await migrate(database);
});
afterAll(() => database.destroy());

/** Exit code and output. */
async function staff(...args: string[]): Promise<[code: number, ...lines: string[]]> {
  const command = readStaffCommand(args);
  if ('wrong' in command) return [2, command.wrong];
  if (command.name === 'help') return [0, usage];
  const readLine = async () => 'Typed2026';
  const { code, lines } = await runStaffCommand(database.db, command, { now, readLine });
  return [code, ...lines];
}

const addWang = () => staff('add', 'teacher', 'wang.fang', '王芳', '--school', '静安校区', '--password', 'Secret2026');

const personOf = (username: string) =>
  database.db.selectFrom('staff').selectAll().where('username', '=', username).executeTakeFirstOrThrow();

const historyOf = async () => {
  const rows = await database.db
    .selectFrom('history')
    .selectAll()
    .where('record', '=', 'staff')
    .orderBy('id')
    .execute();
  return rows.map(({ staff_id, action, before, after }) => [
    staff_id,
    action,
    JSON.parse(before ?? '0'),
    JSON.parse(after ?? '0'),
  ]);
};

describe('staff command add', () => {
  test('adds a person with password and permissions, in a new school', async () => {
    expect(
      await staff('add', 'assist', 'li', '李雷', '--school', '静安校区', '--correct', '--password', 'Secret2026'),
    ).toEqual([0, 'Added assistant 李雷 (li) of 静安校区, may correct.']);
    const person = await personOf('li');
    expect(person).toMatchObject({
      identity: 'assist',
      real_name: '李雷',
      can_dispatch: 0,
      can_correct: 1,
      created_at: now,
    });
    expect(await passwordMatches('Secret2026', person.password_hash)).toBe(true);
  });

  test('adds to the only school with a generated, printed password', async () => {
    await addWang();
    const [code, line] = await staff('add', 'teacher', 'han', '韩梅梅');
    expect(code).toBe(0);
    const password = /^Added lecturer 韩梅梅 \(han\) of 静安校区, no permission\. Password: (\S{12})$/.exec(
      line as string,
    )?.[1];
    expect(await passwordMatches(password as string, (await personOf('han')).password_hash)).toBe(true);
  });

  test('refuses a missing school, a taken name and a weak password', async () => {
    expect(await staff('add', 'teacher', 'wang', '王芳')).toEqual([1, 'There is no school yet: name it by --school.']);
    await addWang();
    expect(await addWang()).toEqual([1, 'Someone has the user name "wang.fang" already.']);
    const [code, line] = await staff('add', 'teacher', 'li', '李雷', '--password', 'short');
    expect([code, line]).toEqual([1, expect.stringMatching(/6 to 18 characters/)]);
    await staff('add', 'teacher', 'li', '李雷', '--school', '浦东校区');
    expect(await staff('add', 'teacher', 'han', '韩梅梅')).toEqual([
      1,
      'Name the school by --school: 静安校区, 浦东校区.',
    ]);
    expect(await staff('list')).toHaveLength(3);
  });
});

describe('administrator from the command line', () => {
  test('has all schools and permissions, and signs in with the given name', async () => {
    expect(await staff('add', 'admin', 'Shen', '沈静', '--school', '静安校区', '--password', 'Secret2026')).toEqual([
      0,
      'Added administrator 沈静 (Shen) of 静安校区, looks after people, teaching, exams, settings and audit.',
    ]);
    const flags = { can_people: 1, can_teaching: 1, can_exams: 1, can_settings: 1, can_audit: 1 };
    expect(await personOf('shen')).toMatchObject({ identity: 'admin', every_school: 1, can_correct: 0, ...flags });
    expect(await staff('grant', 'Shen', 'correct')).toEqual([
      1,
      '沈静 (shen) is administrator and has no use for correct.',
    ]);
    await staff('add', 'admin', 'gu', '顾平', '--school', '静安校区');
    expect(await staff('revoke', 'Shen', 'audit', 'exams')).toEqual([
      0,
      '沈静 (shen) has now: looks after people, teaching and settings.',
    ]);
  });

  test('keeps account and permissions as the last one of all schools', async () => {
    await staff('add', 'admin', 'shen', '沈静', '--school', '静安校区');
    await staff('add', 'admin', 'bound', '陆明', '--school', '静安校区', '--bound');
    const last = (what: string) => [
      1,
      `沈静 (shen) is the last administrator of all schools for ${what}. Add another first: npm run staff -- add admin USERNAME NAME`,
    ];
    const all = 'people, teaching, exams, settings, audit';
    expect(await staff('disable', 'shen')).toEqual(last(all));
    expect(await staff('revoke', 'shen', 'people')).toEqual(last(all));
    expect(await staff('revoke', 'shen', 'audit')).toEqual(last('audit'));
    expect(await personOf('shen')).toMatchObject({ disabled_at: null, can_people: 1, can_audit: 1 });
    await staff('add', 'admin', 'gu', '顾平', '--school', '静安校区');
    await staff('revoke', 'gu', 'people');
    // The other administrator has every permission except `people`, and without that could grant none of them.
    expect(await staff('disable', 'shen')).toEqual(last(all));
    await staff('grant', 'gu', 'people');
    expect((await staff('disable', 'shen'))[0]).toBe(0);
  });

  test('can be bound to a school', async () => {
    await staff('add', 'admin', 'shen', '沈静', '--school', '静安校区', '--bound');
    const { id, school_id, every_school } = await personOf('shen');
    expect(every_school).toBe(0);
    expect(await database.db.selectFrom('staff_school').selectAll().execute()).toEqual([{ staff_id: id, school_id }]);
  });
});

test("a new password ends the person's sessions", async () => {
  await addWang();
  const { id } = await personOf('wang.fang');
  const token = await issueToken(database.db, id, { device: '', address: '', now });
  expect(await staff('password', 'wang.fang', '--password-stdin')).toEqual([
    0,
    '王芳 (wang.fang) has a new password; 1 sign-in ended.',
  ]);
  expect(await passwordMatches('Typed2026', (await personOf('wang.fang')).password_hash)).toBe(true);
  expect(await actorOf(database.db, `Bearer ${token}`, now, defaultPolicy)).toBeUndefined();
  expect(await staff('password', 'nobody', '--password', 'Secret2026')).toEqual([
    1,
    'Nobody has the user name "nobody".',
  ]);
});

test('permissions are granted and revoked with history', async () => {
  await addWang();
  expect(await staff('grant', 'wang.fang', 'dispatch', 'correct')).toEqual([
    0,
    '王芳 (wang.fang) has now: may dispatch and correct.',
  ]);
  expect(await staff('grant', 'wang.fang', 'correct')).toEqual([
    0,
    '王芳 (wang.fang) has as before: may dispatch and correct.',
  ]);
  expect(await staff('revoke', 'wang.fang', 'dispatch')).toEqual([0, '王芳 (wang.fang) has now: may correct.']);
  expect(await personOf('wang.fang')).toMatchObject({ can_dispatch: 0, can_correct: 1 });
  const none = { dispatch: false, correct: false };
  const both = { dispatch: true, correct: true };
  expect(await historyOf()).toEqual([
    [null, 'add', 0, none],
    [null, 'grant', none, both],
    [null, 'revoke', both, { dispatch: false, correct: true }],
  ]);
});

test("an application's token is printed once, listed and revoked", async () => {
  expect(await staff('token')).toEqual([0, 'There is no token.']);
  const [code, line] = await staff('token', 'add', '学习端');
  expect(code).toBe(0);
  const token = /^Token 1 of 学习端: (app_\S{43})$/.exec(line as string)?.[1];
  expect(await applicationOf(database.db, `Bearer ${token}`, now)).toEqual({
    id: 1,
    name: '学习端',
    everySchool: true,
  });
  expect(await staff('token')).toEqual([
    0,
    expect.stringMatching(/^1\t学习端\tmade \d{4}-\d\d-\d\d\tused \d{4}-\d\d-\d\d$/),
  ]);
  expect(await staff('token', 'end', '1')).toEqual([0, 'Token 1 is ended.']);
  expect(await staff('token', 'end', '1')).toEqual([1, 'There is no token 1 in use.']);
  expect(await applicationOf(database.db, `Bearer ${token}`, now)).toBeUndefined();
});

test('a school has a name and a logo', async () => {
  expect(await staff('setting', 'school_name', ' 明德  中学 ')).toEqual([0, 'school_name is 明德 中学 now.']);
  const folder = mkdtempSync(join(tmpdir(), 'logo-'));
  const [picture, text] = [join(folder, 'logo.svg'), join(folder, 'logo.png')];
  writeFileSync(picture, '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><circle r="400" /></svg>');
  writeFileSync(text, 'no picture');
  expect(await staff('setting', 'school_logo', text)).toEqual([1, `${text} is no picture.`]);
  expect(await staff('setting', 'school_logo', picture)).toEqual([0, 'school_logo is set now.']);
  const { school_name, school_logo } = await schoolSettings(database.db, now);
  expect([school_name, school_logo]).toEqual(['明德 中学', expect.stringMatching(/^[\da-f]{8}$/)]);
  expect((await sharp(await schoolLogo(database.db)).metadata()).height).toBe(64);
  expect(await staff('setting', 'school_logo', '')).toEqual([0, 'school_logo is the sign of the product now.']);
  expect(await schoolLogo(database.db)).toBeUndefined();
  expect(await staff('setting', 'school_name', '')).toEqual([0, 'school_name is the default now.']);
  rmSync(folder, { recursive: true });
});

test('a disabled person is signed out, and can return', async () => {
  await addWang();
  const { id } = await personOf('wang.fang');
  const token = await issueToken(database.db, id, { device: '', address: '', now });
  expect(await staff('disable', 'wang.fang')).toEqual([0, '王芳 (wang.fang) is disabled and signed out everywhere.']);
  expect(await staff('disable', 'wang.fang')).toEqual([0, '王芳 (wang.fang) is disabled already.']);
  expect(await staff('list')).toEqual([0, 'wang.fang\tlecturer\t王芳\t静安校区\tno permission\tdisabled']);
  expect(await staff('enable', 'wang.fang')).toEqual([0, '王芳 (wang.fang) is enabled.']);
  expect(await actorOf(database.db, `Bearer ${token}`, now, defaultPolicy)).toBeUndefined();
});

test('settings are shown and set', async () => {
  expect(await staff('setting')).toContain('timezone\tAsia/Shanghai');
  expect(await staff('setting', 'community_module', 'off')).toEqual([0, 'community_module is off now.']);
  expect(await staff('setting', 'community_module', 'on')).toEqual([0, 'community_module is on now.']);
  expect(await staff('setting', 'timezone', 'Asia/Urumqi')).toEqual([0, 'timezone is Asia/Urumqi now.']);
  expect(await staff('setting', 'show_grade', '0')).toEqual([0, 'show_grade is off now.']);
  expect(await schoolSettings(database.db, now)).toMatchObject({
    timezone: 'Asia/Urumqi',
    community_module: true,
    show_grade: false,
  });
});

test.each([
  [[], 'Which command?'],
  [['fire'], 'There is no command "fire".'],
  [['add', 'boss', 'li', '李雷'], 'The identity is teacher, assist or admin.'],
  [['add', 'admin', 'li', '李雷', '--correct'], '"add admin" takes no --correct.'],
  [['add', 'teacher', 'li', '李雷', '--bound'], '"add teacher" takes no --bound.'],
  [['add', 'teacher', 'li'], 'Give a user name and a name (in quotes if it has spaces).'],
  [['add', 'teacher', 'li lei', '李雷'], 'A user name has no spaces and at most 100 characters.'],
  [
    ['add', 'teacher', 'li', '李雷', '--password', 'Secret2026', '--password-stdin'],
    'Give the password in one way only.',
  ],
  [['password'], 'Give one user name.'],
  [['grant', 'li'], 'Give a user name and some of dispatch, correct, people, teaching, exams, settings, audit.'],
  [
    ['grant', 'li', 'dispatch', 'everything'],
    'Give a user name and some of dispatch, correct, people, teaching, exams, settings, audit.',
  ],
  [['token', 'add'], 'Give add and a name (in quotes if it has spaces), or end and the number of the list.'],
  [['token', 'end', 'x'], 'Give add and a name (in quotes if it has spaces), or end and the number of the list.'],
  [['list', '--correct'], '"list" takes no --correct.'],
  [['setting', 'colour', 'red'], 'There is no setting "colour".'],
  [['setting', 'constructor', '1'], 'There is no setting "constructor".'],
  [['setting', 'show_grade', 'perhaps'], 'The value of show_grade is on or off.'],
  [['setting', 'timezone', 'Mars/Olympus'], 'The value of timezone is a time zone such as Asia/Shanghai.'],
  [['setting', 'school_name', '很'.repeat(31)], 'The value of school_name is a name of at most 30 characters.'],
  [['setting', 'school_logo'], 'Give the file of a picture, or "".'],
  [['setting', 'show_grade'], 'The value of show_grade is on or off.'],
  [['list', '--colour'], expect.stringMatching(/--colour/)],
])('wrong usage is explained: %j', async (args, sentence) => {
  expect(await staff(...args)).toEqual([2, sentence]);
});

test('staff program prints usage and exit codes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-staff-'));
  const run = (...args: string[]) => {
    const env = { ...process.env, VAR_DIR: folder, DATABASE_URL: '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['server/account/staff-command.ts', ...args], {
      env,
      encoding: 'utf8',
      input: 'Piped2026\nmore\n',
    });
    return { status, stdout, stderr };
  };
  try {
    expect(run('fire')).toEqual({ status: 2, stdout: '', stderr: `There is no command "fire".\n\n${usage}\n` });
    expect(run('--help')).toEqual({ status: 0, stdout: `${usage}\n`, stderr: '' });
    // Commands about staff never create or migrate a database.
    expect(run('list')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('npm run migrate') });
    const prepared = spawnSync(process.execPath, ['server/migrate-command.ts'], {
      env: { ...process.env, VAR_DIR: folder, DATABASE_URL: '' },
    });
    expect(prepared.status).toBe(0);
    const added = run('add', 'teacher', 'wang', '王芳', '--school', '静安', '--password-stdin');
    expect(added).toEqual({ status: 0, stdout: 'Added lecturer 王芳 (wang) of 静安, no permission.\n', stderr: '' });
    expect(run('grant', 'li', 'correct')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Nobody has the user name "li".\n',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
