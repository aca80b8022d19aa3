/** What a school sends out: it can be read again, and is the same then. */
import { expect, it } from 'vitest';
import { verdict } from '#server/import/doors/verdict.ts';
import { addBoundAdmin } from '../support/bound-admin.ts';
import { lines, uploaded } from '../support/import-files.ts';
import { bytesOf, madeFile } from '../support/made-file.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

const upload = uploaded();
const clean = { verdict: 'ok', faults: [], forgiven: [] };

onBothEngines('what a school sends out', (opened) => {
  const school = () => opened();
  const fetched = (path: string) => {
    const headers = { authorization: `Bearer ${school().people.admin.token}` };
    return school().api.fetch(new Request(`http://school.test${path}`, { headers }));
  };
  const exported = async (form: string): Promise<Uint8Array> => {
    const { status, body } = await school().as('admin').post('import/export', { form });
    expect(status).toBe(200);
    return bytesOf(await madeFile(() => fetched(body.data.url)));
  };

  it('as a workbook is read without a fault, and names what there is', async () => {
    const team = await addTeam(school(), { name: '数学团课' });
    await addLesson(school(), { team });
    const reading = await upload('学校.xlsx', await exported('workbook'));
    expect(verdict(reading)).toEqual(clean);
    const { count } = await school()
      .database.db.selectFrom('student')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('disabled_at', 'is', null)
      .executeTakeFirstOrThrow();
    expect(lines(reading).filter((line) => line.startsWith('student '))).toHaveLength(Number(count));
    const named = ['school', 'staff', 'student', 'course', 'period', 'class', 'group_class', 'membership', 'lesson'];
    expect(reading.kinds).toEqual(expect.arrayContaining(named));
  });

  it('as a package is read strictly, with the same people in the same classes', async () => {
    const bytes = await exported('oneroster');
    expect(verdict(await upload('学校.zip', bytes, { strict: true }))).toEqual(clean);
    const [roster, workbook] = [await upload('学校.zip', bytes), await upload('学校.xlsx', await exported('workbook'))];
    const members = (all: string[]) => all.filter((line) => /^membership .*class_id=class:/.test(line)).sort();
    expect(members(lines(roster)).length).toBeGreaterThan(0);
    expect(members(lines(roster))).toEqual(
      members(lines(workbook)).map((line) => line.replace(/(student_id=\S+) (joined_at=\d+).*/, '$1 $2')),
    );
  });

  it('is the same bytes as long as nothing has changed', async () => {
    for (const form of ['workbook', 'oneroster']) expect(await exported(form)).toEqual(await exported(form));
  });

  it('is of the schools that somebody looks after', async () => {
    const bound = await addBoundAdmin(school(), { can_people: 1 });
    const answer = await bound.ask('POST', 'import/export', { form: 'workbook', school_id: 1 });
    expect([answer.status, answer.body.msg]).toEqual([404, '该学校不存在']);
    expect((await bound.ask('POST', 'import/export', { form: 'workbook' })).status).toBe(200);
  });

  it('and the template to fill in is offered', async () => {
    const template = await fetched('/api/admin/import/template');
    expect(template.status, template.status === 200 ? '' : await template.text()).toBe(200);
    expect(decodeURIComponent(template.headers.get('content-disposition') ?? '')).toContain('导入模板.xlsx');
    const reading = await upload('模板.xlsx', await bytesOf(template));
    expect(reading.refused.map(({ message }) => message)).toEqual(['文件里没有可以导入的数据']);
  });
});
