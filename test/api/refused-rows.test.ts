/** Refused import rows are downloaded in the upload's format, corrected, and sent again without ending anything. */
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { purgeImports } from '#server/import/retention.ts';
import {
  cell,
  csv,
  type Roster,
  rosterTexts,
  sheetFile,
  smallRoster,
  uploader,
  zipOf,
} from '../support/import-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const reread = uploader();
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

onBothEngines('refused rows of an import', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const headers = () => ({ authorization: `Bearer ${school().people.admin.token}` });
  const send = async (source: string, name: string, bytes: string | Uint8Array) => {
    const body = new FormData();
    body.set('source', source);
    body.set('file', new File([bytes as Uint8Array<ArrayBuffer>], name));
    const request = new Request('http://school.test/api/admin/import/upload', {
      method: 'POST',
      headers: headers(),
      body,
    });
    const answer = await (await school().api.fetch(request)).json();
    expect([answer.code, answer.msg]).toEqual([200, '已上传']);
    return waitForJob(answer.data.id);
  };
  /** A busy machine may answer before the job is done. */
  const waitForJob = async (id: number) => {
    const show = async () => (await admin().get(`import/${id}`)).body.data;
    await expect.poll(async () => (await show()).job).toBe('');
    return show();
  };
  const downloadRefused = async (id: number) => {
    const answer = await school().api.fetch(
      new Request(`http://school.test/api/admin/import/${id}/refused`, { headers: headers() }),
    );
    const name = decodeURIComponent(
      /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '',
    );
    return { name, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const mustApply = async ({
    id,
    holds,
  }: {
    id: number;
    holds: { kind: string; reason: string; number: number }[];
  }) => {
    const confirmed = Object.fromEntries(holds.map((hold) => [`${hold.kind}.${hold.reason}`, hold.number]));
    const answer = await admin().post(`import/${id}/apply`, { confirmed });
    expect([answer.status, answer.body.msg]).toEqual([200, '已导入']);
    expect((await waitForJob(id)).state).toBe('applied');
  };
  const active = async (source: string, kind: string) =>
    school()
      .database.db.selectFrom('external_id')
      .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
      .select('external_id.sourced_id')
      .where('import_source.name', '=', source)
      .where('external_id.kind', '=', kind as 'student')
      .where('external_id.state', '=', 'active')
      .execute();

  it('are returned and corrected as a workbook', async () => {
    const rows = (number: string) => [
      ['九月名单', '', '', ''],
      ['姓名', '学号', '手机号', '学校'],
      ...Array.from({ length: 8 }, (_, at) => [`行${at}`, at === 3 ? number : `B${at}`, '', '退回网校']),
      ['', 'B9', '', '退回网校'],
    ];
    const sheets = (number: string) => ({ 学校: [['学校名称'], ['退回网校']], 学员: rows(number) });
    const first = await send('表', '名单.xlsx', sheetFile(sheets('2.026E+07')));
    const { name, bytes } = await downloadRefused(first.id);
    expect(name).toBe('名单-不能导入的行.xlsx');
    await mustApply(first);
    const back = await reread(name, bytes);
    expect(back.mode).toBe('delta');
    expect(back.refused.map(({ file, row, field, message }) => [file, row, field, message])).toEqual([
      ['学员', 2, '学号', expect.stringContaining('科学计数法')],
      ['学员', 3, '姓名', '“姓名”必须填写'],
    ]);
    const mended = sheetFile({
      学员: [
        ['姓名', '学号', '手机号', '学校', '原因'],
        ['行3', 'B3', '13800000003', '退回网校', '手机号：请输入11位手机号'],
        ['行9', 'B9', '', '退回网校', '“姓名”必须填写'],
      ],
    });
    const second = await send('表', '名单-不能导入的行.xlsx', mended);
    expect(second).toMatchObject({ mode: 'delta', refused: 0, holds: [] });
    await mustApply(second);
    expect(await active('表', 'student')).toHaveLength(9);
  });

  it('are returned and corrected as a list', async () => {
    const list = csv([
      ['姓名', '手机号', '学号', '学校'],
      ['', '13900000010', '', '退回网校'],
      ['乙', '13900000011', 'L2', '退回网校'],
      ['丙', '13900000012', 'L3', '没有的学校'],
    ]);
    const first = await send('单', '单.csv', list);
    const { name, bytes } = await downloadRefused(first.id);
    expect(name).toBe('单-不能导入的行.csv');
    expect(text(bytes).replace('\uFEFF', '').split('\r\n')).toEqual([
      '"姓名","手机号","学号","学校","原因"',
      '"","13900000010","","退回网校","姓名：“姓名”必须填写"',
      '"丙","13900000012","L3","没有的学校","学校：没有找到学校“没有的学校”"',
      '',
    ]);
    await mustApply(first);
    const second = await send(
      '单',
      name,
      text(bytes).replace('"","139', '"甲","139').replace('没有的学校"', '退回网校"'),
    );
    expect(second.totals[0]).toBe(2);
    await mustApply(second);
    expect(await active('单', 'student')).toHaveLength(3);
  });

  it('are returned and corrected as a package', async () => {
    const roster = smallRoster() as Required<Pick<Roster, 'users'>> & Roster;
    const faulty: Roster = {
      ...roster,
      users: roster.users.map((row) => (row.sourcedId === 's-2' ? { ...row, familyName: '', givenName: '' } : row)),
    };
    const first = await send('包', '包.zip', zipOf(rosterTexts(faulty)));
    const { name, bytes } = await downloadRefused(first.id);
    expect(name).toBe('包-不能导入的行.zip');
    const files = unzipSync(bytes);
    expect(text(files['manifest.csv'])).toContain('file.users,delta\r\n');
    const users = text(files['users.csv']).trim().split('\r\n');
    expect(users).toHaveLength(2);
    expect(users[0]?.endsWith(',metadata.原因')).toBe(true);
    expect(users[1]).toMatch(/^s-2,active,\d{4}-.*不能为空|^s-2,active,/);
    await mustApply(first);
    const names = (users[0] ?? '').split(',');
    const cells = (users[1] ?? '').split(',');
    const mended = names.map((head, at) => ({ familyName: '司马', givenName: '思远' })[head] ?? cells[at] ?? '');
    const again = { ...files, 'users.csv': `${users[0]}\r\n${mended.map(cell).join(',')}\r\n` };
    const second = await send('包', name, zipOf(again));
    expect(second).toMatchObject({ mode: 'delta', refused: 0, holds: [] });
    await mustApply(second);
    expect(await active('包', 'term')).toHaveLength(2);
    const taught = await school().database.db.selectFrom('class_term').select('term_id').execute();
    expect(taught).toHaveLength(3);
    expect((await active('包', 'student')).map(({ sourced_id }) => sourced_id).sort()).toEqual(['s-1', 's-2', 's-3']);
  });

  it('are kept for thirty days, like unapplied imports', async () => {
    const { db } = school().database;
    const { storage } = school().services;
    const held = await send(
      '期',
      '期.csv',
      csv([
        ['姓名', '手机号'],
        ['甲', '139'],
      ]),
    );
    const { file_key } = await db
      .selectFrom('import')
      .select('file_key')
      .where('id', '=', held.id)
      .executeTakeFirstOrThrow();
    expect(await storage.stat(file_key)).not.toBeNull();
    expect(await purgeImports({ db, storage }, { before: noon, now: noon })).toBe(false);
    // An applied import can be undone for fourteen days.
    const now = noon + 15 * 24 * 60 * 60;
    while (await purgeImports({ db, storage }, { before: noon + 1, now }));
    expect(await storage.stat(file_key)).toBeNull();
    expect((await admin().get(`import/${held.id}`)).status).toBe(404);
    const left = await db.selectFrom('import').select(['state', 'file_key']).execute();
    expect(new Set(left.map(({ state }) => state))).toEqual(new Set(['applied']));
    expect(left.every((one) => one.file_key === '')).toBe(true);
    expect(await db.selectFrom('import_row').select('id').execute()).toEqual([]);
  });
});
