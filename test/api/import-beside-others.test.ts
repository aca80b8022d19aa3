/** @module-tag thorough */
/** Tests that a large upload never delays other requests by more than a page takes. */
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#server/api.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { maxCell, maxColumns } from '#server/platform/text/table-limits.ts';
import { goal } from '../support/budget.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { smallUpload } from '../support/imports.ts';

/** Maximum delay in milliseconds. */
const longestWait = 100;

const megabyte = 2 ** 20;
/** A CSV file of about `characters` characters. */
function listOf(characters: number, head: string, lineOf: (at: number) => string): File {
  const lines = [head];
  for (let size = 0; size < characters; size += (lines.at(-1)?.length ?? 0) + 1) lines.push(lineOf(lines.length));
  return new File([lines.join('\n')], '名单.csv');
}
const more = Array.from({ length: maxColumns - 2 }, (_, at) => `列${at}`);
const empty = ','.repeat(more.length);
const widest = listOf(8 * megabyte, `学号,姓名,${more}`, (at) => `${at},学员${at}${empty}`);
const longest = listOf(4 * megabyte, '学号,姓名,备注', (at) => `${at},学员${at},${'长'.repeat(maxCell)}`);
/** More than the maximum arguments of a function. */
const maxRows = listOf(megabyte * 0.45, '学号,姓名', () => '1,');

describe('event loop during an upload', () => {
  let demo: DemoSchool;
  let asked: (address: string, init?: RequestInit) => Promise<Response>;
  beforeAll(async () => {
    demo = await openDemoSchool('SQLite');
    const { database, storage, now } = demo;
    const api = createApi({ database, storage, now: () => now, log: pino({ level: 'error' }), checkAnswers: false });
    const { id } = await database.db
      .selectFrom('staff')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow();
    const authorization = `Bearer ${await issueToken(database.db, id, { device: 'test', address: '127.0.0.1', now })}`;
    asked = (address, { headers, ...init } = {}) =>
      api.fetch(
        new Request(`http://school.test/api/admin/${address}`, { ...init, headers: { ...headers, authorization } }),
      );
  });
  afterAll(() => demo.close());

  /** Measures the longest event loop turn during `work` in CPU time, so other processes do not count. */
  async function measureBeside<Done>(what: string, work: () => Promise<Done>): Promise<Done> {
    const cpuMilliseconds = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    };
    let longestTurn = 0;
    let last = cpuMilliseconds();
    const look = () => {
      const now = cpuMilliseconds();
      longestTurn = Math.max(longestTurn, now - last);
      last = now;
    };
    const looks = setInterval(look, 2);
    const done = await work();
    clearInterval(looks);
    look();
    goal(`longest wait beside ${what}`, longestTurn, longestWait);
    return done;
  }
  const jsonPost = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const doneOf = async (answer: Response): Promise<number> => {
    const { code, msg, data } = await answer.json();
    expect([code, msg]).toEqual([200, expect.any(String)]);
    for (;;) {
      const { job } = (await (await asked(`import/${data.id}`)).json()).data;
      if (job === '') return data.id;
      await pause(50);
    }
  };
  const uploadFile = async (source: string, file: File) => {
    const form = new FormData();
    form.set('source', source);
    form.set('file', file);
    return doneOf(await asked('import/upload', { method: 'POST', body: form }));
  };

  it.each([
    ['the widest list', widest],
    ['the longest cells', longest],
    ['the most rows', maxRows],
  ])('stays responsive for %s, its column mapping and its refused rows', async (what, file) => {
    const id = await measureBeside(what, () => uploadFile(what, file));
    const { kind, columns } = (await (await asked(`import/${id}/mapping`)).json()).data;
    const fields = columns.map(({ field }: { field: string }) => field);
    await measureBeside(`telling the columns of ${what}`, async () =>
      doneOf(await asked(`import/${id}/mapping`, jsonPost({ kind, mode: 'delta', columns: fields }))),
    );
    const refused = await measureBeside(`the refused rows of ${what}`, () => asked(`import/${id}/refused`));
    expect(refused.status).toBe(200);
    const rows = (await refused.text()).split('\r\n').length - 2;
    expect(rows).toBe((await file.text()).split('\n').length - 1);
  });

  it('offers no file of refused rows while rows are being checked', async () => {
    const id = await uploadFile(
      '一半',
      listOf(200, '学号,姓名', () => '1,'),
    );
    const { db } = demo.database;
    await db.updateTable('import').set({ job: 'check' }).where('id', '=', id).execute();
    const answer = await asked(`import/${id}/refused`);
    expect([answer.status, (await answer.json()).msg]).toEqual([409, '正在检查，请稍候']);
    await db.updateTable('import').set({ job: '' }).where('id', '=', id).execute();
    expect((await asked(`import/${id}/refused`)).status).toBe(200);
  });

  it('stays responsive for an in-process check, application and undo', async () => {
    const records = smallUpload({ tag: 9, classes: 2, students: 700 });
    expect(records.length).toBeGreaterThan(2800);
    expect(records.length).toBeLessThan(3000);
    const id = await measureBeside('the check', async () =>
      doneOf(await asked('import', jsonPost({ source: '教务', mode: 'bulk', records }))),
    );
    await measureBeside('the application', async () => doneOf(await asked(`import/${id}/apply`, jsonPost({}))));
    await measureBeside('the undo', async () => doneOf(await asked(`import/${id}/undo`, jsonPost({}))));
  });
});
