import { beforeAll, beforeEach, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { applicationOf, type LearnerClient, learnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper } from '../support/paper.ts';
import { noon, outcomeOf } from '../support/school.ts';

const missing = [404, '学员不存在'];

onBothEngines('application bound to one school', (school) => {
  let bound: { id: number; token: string };
  let application: LearnerClient;
  /** Ids of a student of the application's school, and of a student of another school. */
  let own: number;
  let other: number;
  let home: number;
  let branch: number;
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  const move = (student: number, school_id: number) =>
    db().updateTable('student').set({ school_id }).where('id', '=', student).execute();
  const everyEvent = { url: 'http://127.0.0.1:9/events', events: ['homework.published', 'student.erased'] };
  const waitingCount = async () => (await admin().get(`tokens/${bound.id}/webhook`)).body.data.waiting;

  beforeAll(async () => {
    [own, other] = school().students.k1 as [number, number];
    ({ school_id: home } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', own)
      .executeTakeFirstOrThrow());
    ({ id: branch } = await db()
      .insertInto('school')
      .values({ org_name: '分校', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow());
    bound = (await admin().post('tokens', { name: '本校', school_ids: [home] })).body.data;
    application = learnerClient(school(), bound.token);
    await move(other, branch);
  });
  beforeEach(async () => {
    await db().deleteFrom('sms_outbox').execute();
    await db().deleteFrom('learner_event').execute();
    await admin().put(`tokens/${bound.id}/webhook`, everyEvent);
  });

  it('knows and signs in the students of its school', async () => {
    expect((await application.get(`me?uid=${own}`)).status).toBe(200);
    expect(outcomeOf(await application.get(`me?uid=${other}`))).toEqual(missing);
    expect((await application.post('session', { uid: own })).status).toBe(200);
    expect(outcomeOf(await application.post('session', { uid: other }))).toEqual(missing);
  });

  it('loses access to a student who moves to another school, and ends their session', async () => {
    const { token } = (await application.post('session', { uid: own })).body.data;
    const learner = learnerClient(school(), token);
    expect((await learner.get('me')).status).toBe(200);
    await move(own, branch);
    expect((await learner.get('me')).status).toBe(401);
    await move(own, home);
    expect((await learner.get('me')).status).toBe(200);
  });

  it('sends codes to students of its school alone', async () => {
    const numbers = [own, other].map((id) => ({ id, number: `S${id}`, mobile: '13700005678' }));
    for (const { id, ...numbered } of numbers)
      await db().updateTable('student').set(numbered).where('id', '=', id).execute();
    await storeSetting(db(), 'sms_webhook_url', 'https://sms.example/');
    for (const { number } of numbers) await application.post('session/code', { number });
    const sent = await db().selectFrom('sms_outbox').select('student_id').execute();
    expect(sent).toEqual([{ student_id: own }]);
  });

  it('receives webhooks and lists changes for students of its school alone', async () => {
    await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    school().setNow(noon + 60);
    const everybody = (await (await applicationOf(school())).get('events?limit=200')).body.data.list;
    const uids = everybody.map(({ uid }: { uid: number }) => uid);
    expect(uids).toContain(other);
    const theirs = uids.filter((uid: number) => uid !== other);
    const asked = (await application.get('events?limit=200')).body.data.list;
    expect(asked.map(({ uid }: { uid: number }) => uid)).toEqual(theirs);
    expect(await waitingCount()).toBe(theirs.length);
    expect((await admin().post(`tokens/${bound.id}/webhook/replay`, {})).body.data.count).toBe(theirs.length);
  });

  it('learns which students of its school were erased', async () => {
    const erase = async (student: number) => {
      const { confirmation } = (await admin().get(`students/${student}/erasure`)).body.data;
      expect(outcomeOf(await admin().post(`students/${student}/erase`, { confirmation }))).toEqual([200, '注销成功']);
    };
    const [gone, elsewhere] = school().students.k2 as [number, number];
    await move(elsewhere, branch);
    await erase(elsewhere);
    expect(await waitingCount()).toBe(0);
    await erase(gone);
    expect(await waitingCount()).toBe(1);
  });
});
