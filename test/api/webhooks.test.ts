import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emitLearnerEvent } from '#server/learners/events.ts';
import { deliveryToWebhooks } from '#server/learners/webhook-delivery.ts';
import { createSender } from '#server/platform/sms/sender.ts';
import { repeatErasures } from '#server/privacy/erase.ts';
import { type LearnerClient, learnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper, submitHomeworkReport } from '../support/paper.ts';
import { type Answer, noon } from '../support/school.ts';

const outcomeOf = ({ status, body }: Answer) => [status, body.msg];

onBothEngines('webhooks', (school) => {
  const got: { key: string; signature: string; body: string; event: { id: number; event: string; uid: number } }[] = [];
  let answer = 200;
  let receiver: Server;
  /** The student whose events the receiver refuses. */
  let refused = -1;
  let url: string;
  let token: { id: number; token: string };
  let application: LearnerClient;
  const admin = () => school().as('admin');
  const db = () => school().database.db;

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      const { 'idempotency-key': key, 'x-signature': signature } = request.headers;
      if (answer === 200 && JSON.parse(body).uid !== refused) {
        got.push({ key: String(key), signature: String(signature), body, event: JSON.parse(body) });
      }
      response.writeHead(JSON.parse(body).uid === refused ? 500 : answer).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    token = (await admin().post('tokens', { name: '学习端', every_school: 1 })).body.data;
    application = learnerClient(school(), token.token);
  });
  afterAll(() => new Promise((resolve) => receiver.close(resolve)));
  beforeEach(() => {
    got.length = 0;
    answer = 200;
    refused = -1;
  });

  const all = ['homework.published', 'report.graded', 'leave.decided', 'notice.posted', 'exam.published'];
  const set = (body: object = { url, events: all }, id = token.id) => admin().put(`tokens/${id}/webhook`, body);
  const sender = () =>
    createSender({
      database: school().database,
      log: school().services.log,
      now: school().services.now,
      deliver: deliveryToWebhooks(db(), school().services.now, async () => {}),
    });
  /** Sends until nothing is accepted any more. */
  const sendAll = async () => {
    const one = sender();
    while ((await one.round()).taken > 0);
  };
  const kinds = () => got.map(({ event }) => event.event);

  it('are configured with the token, with errors by field', async () => {
    const wrong = await set({ url: 'ftp://x', events: ['x'] });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        url: ['请填写以 http:// 或 https:// 开头的地址，不能有“#”和用户名，最多500个字符'],
        events: ['请选择至少一种通知'],
      },
    ]);
    expect((await admin().get(`tokens/${token.id}/webhook`)).body.data).toMatchObject({ url: '', events: [] });
    const kept = await set();
    expect(outcomeOf(kept)).toEqual([200, '通知地址已保存']);
    expect(kept.body.data.secret).toMatch(/^[\w-]{43}$/);
    const shown = (await admin().get(`tokens/${token.id}/webhook`)).body.data;
    expect(shown).toEqual({ url, events: all, created_at: noon, waiting: 0, error: '' });
    expect(outcomeOf(await set(undefined, 999_999))).toEqual([404, '该令牌不存在']);
  });

  it('send signed events of publishing, grading, decisions and posts', async () => {
    const { secret } = (await set()).body.data;
    const { k1 } = school().classes;
    const paper = await addPaper(school(), { creator: 'teacher', classes: [k1] });
    const [one] = school().students.k1 as [number];
    const reportId = await submitHomeworkReport(school(), paper, one, { essay: '', partEssay: '' });
    await db()
      .insertInto('class_staff')
      .values({ class_id: k1, staff_id: school().people.assist.id, duty: 'head' })
      .execute();
    const notice = { class_id: k1, title: '期中安排', content: '<p>周一</p>' };
    expect((await school().as('assist').post('announcement', notice)).status).toBe(200);
    await sendAll();
    const mine = got.filter(({ event }) => event.uid === one);
    expect(mine.map(({ event }) => event)).toMatchObject([
      { event: 'homework.published', record_id: paper.homeworkId, details: { name: '测验' } },
      { event: 'report.graded', record_id: reportId, details: { of: 'homework', homework_id: paper.homeworkId } },
      { event: 'notice.posted', details: { title: '期中安排', class_id: k1 } },
    ]);
    for (const { signature, body } of got) {
      const [, at, hash] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
      expect(hash).toBe(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'));
    }
    expect(new Set(got.map(({ key }) => key)).size).toBe(got.length);
  });

  it('deliver each event at least once, in order per student', async () => {
    await set();
    const [one, two] = school().students.k1 as [number, number];
    answer = 500;
    const paper = await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    await submitHomeworkReport(school(), paper, one, { essay: '', partEssay: '' });
    await sendAll();
    expect(got).toEqual([]);
    const waiting = (await admin().get(`tokens/${token.id}/webhook`)).body.data;
    expect(waiting).toMatchObject({ waiting: 3, error: expect.stringMatching(/status 500|away/) });
    answer = 200;
    school().setNow(noon + 3600);
    await sendAll();
    expect(got.filter(({ event }) => event.uid === one).map(({ event }) => event.event)).toEqual([
      'homework.published',
      'report.graded',
    ]);
    expect(got.filter(({ event }) => event.uid === two)).toHaveLength(1);
  });

  it("deliver other students' events while one student's are refused", async () => {
    await set();
    const [one = 0, two = 0] = school().students.k1;
    refused = one;
    await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    await sendAll();
    expect(got.map(({ event }) => event.uid)).toEqual([two]);
    refused = -1;
    school().setNow(noon + 3600);
    await sendAll();
    expect(got.map(({ event }) => event.uid)).toEqual([two, one]);
  });

  it('repeat events behind a late one, and applications can poll them', async () => {
    await set({ url, events: ['report.graded'] });
    school().setNow(noon + 60);
    const { list } = (await application.get('events?limit=200')).body.data;
    expect(list.length).toBeGreaterThan(4);
    const graded = list.filter(({ event }: { event: string }) => event === 'report.graded');
    const again = await admin().post(`tokens/${token.id}/webhook/replay`, { since: 0 });
    expect(again.body.data).toEqual({ count: graded.length, since: graded.at(-1).id });
    await sendAll();
    expect(got.map(({ event }) => event.id)).toEqual(graded.map(({ id }: { id: number }) => id));
    const first = (await application.get('events?limit=1')).body.data;
    expect(first).toMatchObject({ since: list[0].id, more: 1 });
    expect((await application.get(`events?since=${list.at(-1).id}`)).body.data.list).toEqual([]);
    const uid = school().students.k1[0] as number;
    const { token: own } = (await application.post('session', { uid })).body.data;
    expect(outcomeOf(await learnerClient(school(), own).get('events'))).toEqual([403, '请使用应用的服务令牌']);
  });

  it('lose no event to polling, whichever transaction ends first', async () => {
    const uid = school().students.k1[0] as number;
    const about = [{ studentId: uid, recordId: 1 }];
    const tell = (title: string, at: number) =>
      emitLearnerEvent(db(), { kind: 'notice.posted', about, details: { title } }, at);
    school().setNow(noon + 100);
    const { since } = (await application.get('events?limit=200')).body.data;
    // A request that started earlier commits later.
    await tell('第一', noon + 71);
    await tell('第二', noon + 70);
    const first = (await application.get(`events?since=${since}`)).body.data;
    school().setNow(noon + 101);
    const { list } = (await application.get(`events?since=${first.since}`)).body.data;
    const titles = [...first.list, ...list].map(({ details }: { details: { title: string } }) => details.title);
    expect(titles).toEqual(['第一', '第二']);
    await db().deleteFrom('learner_event').where('at', '>', noon).execute();
  });

  it('report erased students by id alone', async () => {
    await set({ url, events: ['student.erased'] });
    const id = school().students.k2.at(-1);
    const { confirmation } = (await admin().get(`students/${id}/erasure`)).body.data;
    expect(outcomeOf(await admin().post(`students/${id}/erase`, { confirmation }))).toEqual([200, '注销成功']);
    // Later events of the student are removed; the erasure event stays.
    await repeatErasures(db(), noon);
    await sendAll();
    expect(got.map(({ event }) => event)).toMatchObject([
      { event: 'student.erased', uid: 0, record_id: id, details: {} },
    ]);
    await set();
  });

  it('exclude students of other schools', async () => {
    const { id } = await db()
      .insertInto('school')
      .values({ org_name: '分校', put_away_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const bound = (await admin().post('tokens', { name: '分校', school_ids: [id] })).body.data;
    await set({ url: `${url}?branch`, events: all }, bound.id);
    school().setNow(noon + 60);
    expect((await learnerClient(school(), bound.token).get('events')).body.data.list).toEqual([]);
    await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    expect((await admin().get(`tokens/${bound.id}/webhook`)).body.data.waiting).toBe(0);
    expect((await admin().post(`tokens/${bound.id}/webhook/replay`, {})).body.data.count).toBe(0);
  });

  describe('revoked webhooks', () => {
    it('receive no events', async () => {
      await set();
      answer = 500;
      await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
      expect(outcomeOf(await admin().post(`tokens/${token.id}/webhook/end`))).toEqual([200, '已停止通知']);
      expect(outcomeOf(await admin().post(`tokens/${token.id}/webhook/end`))).toEqual([409, '该令牌没有设置通知']);
      expect(outcomeOf(await admin().post(`tokens/${token.id}/webhook/replay`, {}))).toEqual([
        409,
        '该令牌没有设置通知',
      ]);
      answer = 200;
      await sendAll();
      expect(kinds()).toEqual([]);
    });

    it('cannot be configured for a revoked token', async () => {
      const ended = (await admin().post('tokens', { name: '旧', every_school: 1 })).body.data;
      await admin().post(`tokens/${ended.id}/end`);
      expect(outcomeOf(await set(undefined, ended.id))).toEqual([409, '该令牌已停用，不能设置通知']);
    });
  });
});
