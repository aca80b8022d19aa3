import sharp from 'sharp';
import * as v from 'valibot';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { learnerApiDescription } from '#server/api.ts';
import { finishReport, gradeAnswer } from '#server/homework/report-grading.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { createLimit } from '#server/platform/calls/rate-limit.ts';
import { readRequest } from '#server/platform/calls/read.ts';
import { heicPhoto } from '../support/heic.ts';
import { applicationOf, type LearnerClient, learnerClient, learnerOf } from '../support/learner.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { addPaper, essayOf, type Paper } from '../support/paper.ts';
import { type Answer, day, noon } from '../support/school.ts';

const outcomeOf = ({ status, body }: Answer) => [status, body.msg];
const errorsOf = ({ status, body }: Answer) => [status, body.errors];

onBothEnginesAlways('learners', (school) => {
  let application: LearnerClient;
  let learner: LearnerClient;
  let uid: number;
  let other: number;

  beforeAll(async () => {
    [uid, other] = school().students.k1 as [number, number];
    application = await applicationOf(school());
    learner = await learnerOf(school(), uid);
  });

  const db = () => school().database.db;

  describe("learner's identity", () => {
    it('comes from their application or their own token', async () => {
      const me = (await application.get(`me?uid=${uid}`)).body.data;
      expect(me).toMatchObject({ uid, nickname: '学生一班1', school: { name: '总校' }, now: noon });
      expect(me.classes.map(({ name }: { name: string }) => name)).toEqual(['一班', '三班']);
      expect(me.classes[0].courses.map(({ title }: { title: string }) => title)).toEqual(['高一数学', '高一物理']);
      expect((await learner.get('me')).body.data).toEqual(me);
      expect((await learner.get(`me?uid=${uid}`)).status).toBe(200);
    });

    it('is hidden from others', async () => {
      expect(outcomeOf(await learner.get(`me?uid=${other}`))).toEqual([404, '学员不存在']);
      expect(outcomeOf(await application.get('me?uid=999999'))).toEqual([404, '学员不存在']);
      expect(errorsOf(await application.get('me'))).toEqual([422, { uid: ['请完善信息'] }]);
      const { id } = await db()
        .insertInto('school')
        .values({ org_name: '分校', put_away_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      const elsewhere = await applicationOf(school(), [id]);
      expect(outcomeOf(await elsewhere.get(`me?uid=${uid}`))).toEqual([404, '学员不存在']);
      expect(outcomeOf(await elsewhere.post('session', { uid }))).toEqual([404, '学员不存在']);
    });

    it('ends after twelve idle hours, at sign-out, and with the application', async () => {
      expect(outcomeOf(await application.post('session/end'))).toEqual([409, '请使用学员令牌']);
      expect(outcomeOf(await learner.post('session', { uid }))).toEqual([403, '请使用应用的服务令牌']);
      const mine = await learnerOf(school(), uid);
      const half = 12 * 60 * 60 - 1;
      school().setNow(noon + half);
      expect((await mine.get('me')).status).toBe(200);
      school().setNow(noon + 2 * half);
      expect((await mine.get('me')).status).toBe(200);
      school().setNow(noon + 3 * half + 1);
      expect(outcomeOf(await mine.get('me'))).toEqual([401, '应用令牌无效']);
      const left = await learnerOf(school(), uid);
      expect((await left.post('session/end')).status).toBe(200);
      expect((await left.get('me')).status).toBe(401);
      const short = await applicationOf(school());
      const token = (await short.post('session', { uid })).body.data.token;
      const latest = db().selectFrom('learner_session').select('token_id').orderBy('id', 'desc').limit(1);
      await db().updateTable('service_token').set({ revoked_at: noon }).where('id', '=', latest).execute();
      expect((await learnerClient(school(), token).get('me')).status).toBe(401);
    });

    it("may be given by the source system's id", async () => {
      const source = await db()
        .insertInto('import_source')
        .values({ name: '教务系统', created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      const upload = { source_id: source.id, staff_id: null, file_name: 'a.zip', content_hash: 'x', mode: 'delta' };
      const { id } = await db()
        .insertInto('import')
        .values({ ...upload, kinds: '[]', state: 'applied', noted_at: noon, created_at: noon } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      const named = { source_id: source.id, kind: 'student', fields: '{}', import_id: id };
      await db()
        .insertInto('external_id')
        .values([
          { ...named, sourced_id: 'S-001', record: String(uid), state: 'active' },
          { ...named, sourced_id: 'S-002', record: String(other), state: 'gone' },
        ])
        .execute();
      const opened = await application.post('session', { source: '教务系统', source_id: 'S-001' });
      expect((await learnerClient(school(), opened.body.data.token).get('me')).body.data.uid).toBe(uid);
      for (const source_id of ['S-002', 'S-003', '']) {
        expect(outcomeOf(await application.post('session', { source: '教务系统', source_id }))).toEqual([
          404,
          '学员不存在',
        ]);
      }
      expect((await application.post('session', {})).status).toBe(422);
      // A character that neither database can store.
      const odd = await application.post('session', { source: '教务系统\u0000', source_id: 'S-001\u0000' });
      expect(odd.status).toBe(200);
    });

    it('is refused for disabled learners', async () => {
      const mine = await learnerOf(school(), other);
      await db().updateTable('student').set({ disabled_at: noon }).where('id', '=', other).execute();
      expect((await mine.get('me')).status).toBe(401);
      expect(outcomeOf(await application.post('session', { uid: other }))).toEqual([403, '该学员已停用，不能登录']);
      // The application cannot act for the disabled student either.
      expect(outcomeOf(await application.get(`me?uid=${other}`))).toEqual([403, '该学员已停用']);
      expect(outcomeOf(await application.get(`homework?uid=${other}`))).toEqual([403, '该学员已停用']);
      const submitted = await application.post('homework/1/submission', { uid: other, answers: [] });
      expect(outcomeOf(submitted)).toEqual([403, '该学员已停用']);
      await db().updateTable('student').set({ disabled_at: null }).where('id', '=', other).execute();
    });
  });

  describe('homework of learners', () => {
    let paper: Paper;
    beforeEach(async () => {
      paper = await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    });
    const show = (client = learner, headers = {}) => client.get(`homework/${paper.homeworkId}`, headers);
    const later = () => application.get(`homework/${paper.homeworkId}?uid=${uid}`);
    const rows = async (query: string) =>
      (await application.get(`homework?uid=${uid}&limit=200&${query}`)).body.data.list.filter(
        ({ id }: { id: number }) => id === paper.homeworkId,
      );
    const answers = () => [
      { ques_id: paper.questions.choice, user_answer: [1] },
      { ques_id: paper.questions.essay, user_answer: { content: '解' } },
    ];
    const grade = (reportId: number, image = '') =>
      db()
        .transaction()
        .execute(async (trx) => {
          const actor = school().people.teacher;
          const graded = await gradeAnswer(trx, actor, {
            reportId,
            questionId: paper.questions.essay,
            version: undefined,
            score: 80,
            comment: '步骤完整',
            images: [{ draw: '', path: image }],
            now: noon + 10,
          });
          const refusal = await finishReport(trx, actor, { reportId, comment: '不错', now: noon + 10 });
          if (isRefusal(graded) || refusal) throw new Error('not graded');
        });

    it('shows right answers once graded and ended, with all comments', async () => {
      const open = (await show()).body.data;
      expect(open).toMatchObject({ state: 'open', name: '测验', class: { name: '一班' }, draft: null, result: null });
      expect(open.questions.map(({ sort }: { sort: string }) => sort)).toEqual(['1', '2', '3.1', '3.2']);
      expect(open.questions[2].material).toBe('<p>一段材料</p>');
      expect(open.questions[0].ques_option).toEqual([
        { id: 1, content: '甲' },
        { id: 2, content: '乙' },
      ]);
      const handed = await learner.post(`homework/${paper.homeworkId}/submission`, { answers: answers() });
      expect(handed.body.data.status).toBe(2);
      const waiting = (await show()).body.data;
      expect(waiting).toMatchObject({ state: 'waiting', user_score: null, result: null });
      expect(waiting.questions[0]).toMatchObject({ user_answer: '1', result: null });
      expect(JSON.stringify([open, waiting])).not.toMatch(/right|analysis|is_right|参考答案|见课本/);
      await grade(handed.body.data.report_id, '/files/2026/11/marked.png');
      const graded = (await show()).body.data;
      expect(graded).toMatchObject({
        state: 'graded',
        user_score: 8,
        correct_rate: 31,
        result: { user_score: 8, sum_score: 25.5, correct_rate: 31, comment: '不错' },
      });
      expect(graded.answers_shown).toBe(0);
      expect(graded.questions[0].result).toMatchObject({ status: 2, user_score: 0, right_answer: '' });
      expect(graded.questions[1].result).toMatchObject({ user_score: 8, review_comment: '步骤完整' });
      expect(JSON.stringify(graded)).not.toMatch(/参考答案|见课本/);
      await db().updateTable('homework').set({ ending_time: noon }).where('id', '=', paper.homeworkId).execute();
      const over = (await show()).body.data;
      expect(over.answers_shown).toBe(1);
      expect(over.questions[0].result).toMatchObject({ right_answer: '2' });
      expect(over.questions[1].result.ques_analysis).toContain('见课本');
    });

    it('shows right answers once graded, if its publisher chose so', async () => {
      await db().updateTable('homework').set({ right_answers: 2 }).where('id', '=', paper.homeworkId).execute();
      const handed = await learner.post(`homework/${paper.homeworkId}/submission`, { answers: answers() });
      expect(JSON.stringify((await show()).body)).not.toMatch(/参考答案|见课本/);
      await grade(handed.body.data.report_id, '');
      expect((await show()).body.data.questions[1].result.ques_analysis).toContain('见课本');
    });

    it('is handed in with saved answers, without cleared ones', async () => {
      const { choice, essay, part } = paper.questions;
      const draft = { version: 0, answer_time: 5_000_000, answers: [{ ques_id: choice, user_answer: [2] }] };
      await learner.post(`homework/${paper.homeworkId}/draft`, {
        ...draft,
        answers: [...draft.answers, { ques_id: part, user_answer: [1] }],
      });
      const hand = {
        answers: [
          { ques_id: essay, user_answer: { content: '解' } },
          { ques_id: part, user_answer: null },
        ],
      };
      const handed = await learner.post(`homework/${paper.homeworkId}/submission`, hand);
      expect(outcomeOf(handed)).toEqual([200, '提交成功']);
      expect((await learner.post(`homework/${paper.homeworkId}/submission`, hand)).body.data).toEqual(handed.body.data);
      const { questions, publish_time } = (await show()).body.data;
      const given = new Map(questions.map((one: { id: number; user_answer: string }) => [one.id, one.user_answer]));
      expect([given.get(choice), given.get(part), given.get(essay)]).toEqual(['2', '', essayOf('解')]);
      const report = db().selectFrom('report').select('answer_time').where('id', '=', handed.body.data.report_id);
      // The draft is deleted with the homework.
      expect((await report.executeTakeFirstOrThrow()).answer_time).toBe(noon - publish_time);
    });

    it('asks once for confirmation of blank answers, and keeps the draft', async () => {
      const path = `homework/${paper.homeworkId}/submission`;
      const essay = (content: string) => [{ ques_id: paper.questions.essay, user_answer: { content } }];
      for (const [sent, open] of [
        [[], ['1', '2', '3.1', '3.2']],
        [essay(' '), ['1', '2', '3.1', '3.2']],
        [essay('解'), ['1', '3.1', '3.2']],
      ] as const) {
        const asked = await learner.post(path, { answers: sent, confirm_blank: 0 });
        expect([asked.status, asked.body.msg, asked.body.errors]).toEqual([
          422,
          `您还有${open.length}题未作答，确定提交？`,
          { confirm_blank: [`未作答：第${open.join('、')}题`] },
        ]);
      }
      await learner.post(`homework/${paper.homeworkId}/draft`, { version: 0, answers: answers() });
      // The response has the documented fields only, and no other column.
      const told = ['answer_time', 'answers', 'saved_at', 'version'];
      expect(Object.keys((await show()).body.data.draft).sort()).toEqual(told);
      expect(outcomeOf(await learner.post(path, { answers: [] }))).toEqual([200, '提交成功']);
      expect((await show()).body.data.questions[0].user_answer).toBe('1');
    });

    it('is handed in blank if confirmed', async () => {
      const path = `homework/${paper.homeworkId}/submission`;
      expect(outcomeOf(await learner.post(path, { answers: [], confirm_blank: 1 }))).toEqual([200, '提交成功']);
    });

    it("refuses a submission older than another device's save", async () => {
      const path = `homework/${paper.homeworkId}/submission`;
      const essay = (content: string) => [{ ques_id: paper.questions.essay, user_answer: { content } }];
      await learner.post(`homework/${paper.homeworkId}/draft`, { version: 0, answers: essay('写了一整页') });
      const refused = await learner.post(path, { version: 0, answers: essay('短') });
      expect(outcomeOf(refused)).toEqual([409, '其他设备已保存新的内容，请核对后再保存']);
      expect(refused.body.data).toMatchObject({ version: 1 });
      expect(outcomeOf(await learner.post(path, { version: 1, answers: essay('短') }))).toEqual([200, '提交成功']);
    });

    it.each(['7', 'A', '1,2', '-1', '1.5', '77'])("refuses %s outside the question's options", async (given) => {
      const body = {
        version: 0,
        answers: [...answers().slice(1), { ques_id: paper.questions.choice, user_answer: given }],
      };
      const place = `answers.${body.answers.length - 1}`;
      for (const path of ['draft', 'submission']) {
        const refused = await learner.post(`homework/${paper.homeworkId}/${path}`, body);
        expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [place]]);
      }
    });

    it('shows the drawings on pictures', async () => {
      const url = await school().keepPicture();
      const sent = [{ ques_id: paper.questions.essay, user_answer: { content: '', images: [url] } }];
      const handed = await learner.post(`homework/${paper.homeworkId}/submission`, { answers: sent });
      await grade(handed.body.data.report_id, '/files/2026/11/marked.png');
      expect((await show()).body.data.questions[1].answer_images).toEqual([
        { url, draw: '', path: '/files/2026/11/marked.png' },
      ]);
    });

    it('is listed with its state, and again after changes', async () => {
      expect(await rows('state=open')).toHaveLength(1);
      expect(await rows('state=done')).toHaveLength(0);
      school().setNow(noon + 60);
      const { since } = (await learner.get('homework?limit=200')).body.data;
      expect((await learner.get(`homework?since=${since}`)).body.data).toMatchObject({ list: [], more: 0 });
      await school()
        .as('teacher')
        .put(`hw/update/ending_time/${paper.homeworkId}/${noon + 2 * day}`);
      const changed = (await learner.get(`homework?since=${since}`)).body.data;
      expect(changed.list).toMatchObject([{ id: paper.homeworkId, ending_time: noon + 2 * day }]);
      // Recent changes are repeated, since an earlier transaction may commit late.
      expect((await learner.get(`homework?since=${changed.since}`)).body.data.list).toHaveLength(1);
      school().setNow(noon + 3 * day);
      expect((await later()).body.data.state).toBe('missed');
      expect(await rows('state=done')).toMatchObject([{ state: 'missed' }]);
      school().setNow(noon);
      await school().as('teacher').post(`hw/withdraw/${paper.homeworkId}`);
      expect(await rows('')).toMatchObject([{ state: 'recalled' }]);
      expect(await rows('state=open')).toEqual([]);
      expect(outcomeOf(await show())).toEqual([409, '该作业已撤回，作业记录已消失']);
      expect(outcomeOf(await learner.post(`homework/${paper.homeworkId}/draft`, { version: 0, answers: [] }))).toEqual([
        409,
        '该作业已撤回，不能提交',
      ]);
    });

    it('is paged without repeats or gaps', async () => {
      await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1], publishTime: noon - 2 * day });
      const all: number[] = [];
      let since = '';
      for (let more = 1; more === 1; ) {
        const { data } = (await learner.get(`homework?limit=1&since=${since}`)).body;
        all.push(...data.list.map(({ id }: { id: number }) => id));
        ({ since, more } = data);
      }
      expect(new Set(all).size).toBe(all.length);
      const everything = (await learner.get('homework?limit=200')).body.data.list;
      expect(all).toEqual(everything.map(({ id }: { id: number }) => id));
    });

    it('answers 304 while nothing has changed', async () => {
      for (const path of ['homework', `homework/${paper.homeworkId}`]) {
        const etag = (await learner.get(path)).headers.get('etag') ?? '';
        const again = await learner.get(path, { 'if-none-match': `"x", ${etag}` });
        expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
        // Answers of different learners never mix.
        const theirs = await application.get(`${path}?uid=${other}`, { 'if-none-match': etag });
        expect(theirs.status).toBe(200);
      }
      const tagOf = async () => (await later()).headers.get('etag');
      const tags = [await tagOf()];
      await learner.post(`homework/${paper.homeworkId}/draft`, { version: 0, answers: [] });
      tags.push(await tagOf());
      school().setNow(noon + 2 * day);
      tags.push(await tagOf());
      school().setNow(noon);
      const handed = await learner.post(`homework/${paper.homeworkId}/submission`, { answers: answers() });
      tags.push(await tagOf());
      await grade(handed.body.data.report_id);
      tags.push(await tagOf());
      expect(new Set(tags).size).toBe(tags.length);
    });

    it('costs two statements per poll', async () => {
      const cost = await school().costOf(() => learner.get('homework'));
      const etag = (await learner.get('homework')).headers.get('etag') ?? '';
      const poll = () => learner.get('homework', { 'if-none-match': etag });
      // A poll also reads the settings when their cache has expired, on a busy machine often.
      const queries: number[] = [];
      for (let times = 0; times < 4; times += 1) queries.push((await school().costOf(poll)).queries);
      expect(Math.min(...queries)).toBe(2);
      expect(cost.queries).toBeGreaterThan(2);
    });

    it('serves simultaneous polls in one batch, each with its own answer', async () => {
      const learners = await Promise.all((school().students.k1 as number[]).map((id) => learnerOf(school(), id)));
      const tags = await Promise.all(
        learners.map(async (one) => (await one.get('homework')).headers.get('etag') ?? ''),
      );
      const poll = () =>
        Promise.all(learners.map((one, at) => one.get('homework', { 'if-none-match': tags[at] ?? '' })));
      expect((await school().costOf(poll)).queries).toBe(2);
      // A learner who has signed out gets 401, also in a batch with others.
      await learners.at(-1)?.post('session/end');
      expect((await poll()).map(({ status }) => status)).toEqual([304, 304, 401]);
    });

    it('is saved while being written, on two devices', async () => {
      const save = (version: number, text: string, client = learner) =>
        client.post(`homework/${paper.homeworkId}/draft`, {
          uid,
          version,
          answer_time: 60,
          answers: [{ ques_id: paper.questions.essay, user_answer: { content: text } }],
        });
      expect((await save(0, '一')).body.data).toEqual({ version: 1, saved_at: noon });
      // Sends the save again, as if its response had been lost.
      expect((await save(0, '一', application)).body.data).toEqual({ version: 1, saved_at: noon });
      expect((await save(1, '二')).body.data.version).toBe(2);
      const late = await save(1, '三');
      expect(outcomeOf(late)).toEqual([409, '其他设备已保存新的内容，请核对后再保存']);
      expect(late.body.data).toMatchObject({ version: 2, answer_time: 60 });
      expect(late.body.data.answers[0].user_answer).toBe(essayOf('二'));
      expect((await show()).body.data.draft).toEqual(late.body.data);
      expect(outcomeOf(await save(9, '四'))).toEqual([409, '其他设备已保存新的内容，请核对后再保存']);
      const wrong = { version: 2, answers: [{ ques_id: 999_999, user_answer: '' }] };
      expect(errorsOf(await learner.post(`homework/${paper.homeworkId}/draft`, wrong))).toEqual([
        422,
        { 'answers.0': ['答案与作业题目不符'] },
      ]);
      const none = await learner.post(`homework/${paper.homeworkId}/draft`, { answers: [] });
      expect(none.status).toBe(422);
      await learner.post(`homework/${paper.homeworkId}/submission`, { answers: answers() });
      expect((await show()).body.data.draft).toBeNull();
      expect(outcomeOf(await save(2, '五'))).toEqual([409, '该作业已提交，不能重复提交']);
      expect(await db().selectFrom('answer_draft').select('report_id').execute()).toEqual([]);
    });

    it('counts simultaneous submissions, each once', async () => {
      const clients = await Promise.all(
        school()
          .students.k1.slice(0, 2)
          .map((one) => learnerOf(school(), one)),
      );
      const path = `homework/${paper.homeworkId}/submission`;
      const body = { answers: answers() };
      const all = await Promise.all([...clients, ...clients].map((client) => client.post(path, body)));
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const homework = await db()
        .selectFrom('homework')
        .select(['submitted_homework_count', 'not_revised_homework_count'])
        .where('id', '=', paper.homeworkId)
        .executeTakeFirstOrThrow();
      expect(homework).toEqual({ submitted_homework_count: 2, not_revised_homework_count: 2 });
    });

    it('is hidden from other learners', async () => {
      const stranger = await learnerOf(school(), school().students.k2[0] as number);
      expect(outcomeOf(await show(stranger))).toEqual([404, '作业不存在']);
      const draft = { version: 0, answers: [] };
      expect(outcomeOf(await stranger.post(`homework/${paper.homeworkId}/draft`, draft))).toEqual([404, '作业不存在']);
    });

    it('takes HEIC photographs, upright and as JPEG', async () => {
      const send = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
        const form = new FormData();
        form.set('file', new File([bytes], name));
        const headers = { authorization: `Bearer ${learner.token}` };
        return school().ask('/api/app/public/file', { method: 'POST', headers, body: form });
      };
      for (const name of ['IMG_0001.HEIC', 'blob', '照片.jpg']) {
        const taken = await send(heicPhoto(), name);
        expect([name, taken.status, taken.body.data?.path]).toEqual([name, 200, expect.stringMatching(/\.jpg$/)]);
        const kept = await school().services.storage.read(taken.body.data.path.replace('/files/', ''));
        const { data, info } = await sharp(await new Response(kept).arrayBuffer())
          .raw()
          .toBuffer({ resolveWithObject: true });
        const colours = [0, info.height - 1].map((row) => [...data.subarray(row * info.width * 3).subarray(0, 3)]);
        expect([info.width, info.height, colours.map(([red = 0, , blue = 0]) => red > blue)]).toEqual([
          48,
          64,
          [true, false],
        ]);
      }
      const damaged = [422, { file: ['图片已损坏，无法打开'] }];
      expect(errorsOf(await send(heicPhoto().subarray(0, 300), 'IMG.HEIC'))).toEqual(damaged);
      expect(errorsOf(await send(new Uint8Array(2000).fill(7), 'IMG.HEIC'))).toEqual(damaged);
      expect(errorsOf(await send(new Uint8Array(2000).fill(7), 'IMG.raw'))).toEqual([
        415,
        { file: ['请上传 jpg、png、gif、webp 或 heic 格式的图片'] },
      ]);
    });

    it('takes nine pictures, rotated upright and scaled to screen size', async () => {
      const photo = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#888' } })
        .jpeg()
        .withMetadata({ orientation: 6 })
        .toBuffer();
      const form = new FormData();
      form.set('file', new File([new Uint8Array(photo)], '照片.jpg'));
      const headers = { authorization: `Bearer ${learner.token}` };
      const { body } = await school().ask('/api/app/public/file', { method: 'POST', headers, body: form });
      const { path } = body.data;
      const kept = await school().services.storage.read(path.replace('/files/', ''));
      const { width, height, orientation } = await sharp(await new Response(kept).arrayBuffer()).metadata();
      expect([width, height, orientation]).toEqual([900, 1800, undefined]);
      for (const name of ['blob', 'IMG_0001.HEIC', '照片.png']) {
        form.set('file', new File([new Uint8Array(photo)], name));
        const taken = await school().ask('/api/app/public/file', { method: 'POST', headers, body: form });
        expect([name, taken.status, taken.body.data?.path]).toEqual([name, 200, expect.stringMatching(/\.jpg$/)]);
      }
      const images = Array.from({ length: 10 }, () => path);
      const tooMany = await learner.post(`homework/${paper.homeworkId}/submission`, {
        answers: [{ ques_id: paper.questions.essay, user_answer: { images } }],
      });
      expect(errorsOf(tooMany)).toEqual([422, { 'answers.0.user_answer.images': ['每题最多9张图片'] }]);
    });
  });
});

describe('learner API document', () => {
  const calls = learnerApiDescription.subjects.flatMap((subject) => subject.calls.map(({ call }) => call));

  it.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('has an example of %s', (_, call) => {
    const { example } = call;
    if (!example) throw new Error('no example');
    const params = Object.fromEntries(Object.entries(example.params ?? {}).map(([name, id]) => [name, String(id)]));
    const query = Object.fromEntries(Object.entries(example.query ?? {}).map(([name, one]) => [name, String(one)]));
    const read = readRequest(call, { params, query, body: example.body ?? {} });
    expect(isRefusal(read) ? read.errors : undefined).toBeUndefined();
    if (!call.file) v.parse(call.answer, example.answer ?? null);
  });
});

describe('rate limit of a token', () => {
  it('allows a burst, then a fixed number per second', () => {
    const limit = createLimit({ atOnce: 2, perSecond: 2 });
    expect([limit(1, 0), limit(1, 0), limit(1, 0), limit(2, 0)]).toEqual([undefined, undefined, 1, undefined]);
    expect([limit(1, 500), limit(1, 500)]).toEqual([undefined, 1]);
  });
});
