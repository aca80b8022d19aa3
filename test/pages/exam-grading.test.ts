import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOf, openApp, type Page, signInAs, type Visitor } from '../support/app.ts';
import { addExam, submitExamReport } from '../support/exams.ts';
import { panel, refusalAt, send } from '../support/grade-panel.ts';
import { essayOf } from '../support/paper.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const right = ['2', '1', '1,3', '1-3,2-3', '3@@5'];

let school: TestSchool;
let app: Awaited<ReturnType<typeof openApp>>;
let teacher: Visitor;
let assist: Visitor;

beforeAll(async () => {
  school = await openTestSchool('SQLite');
  app = await openApp(school);
  teacher = await signInAs(school, app, 'teacher');
  assist = await signInAs(school, app, 'assist');
});
afterAll(() => school.close());

/** Marks all submissions as graded, then creates an exam with `count` waiting ones. */
async function addReports(count: number) {
  const { db } = school.database;
  await db.updateTable('exam_report').set({ test_status: 3 }).execute();
  const exam = await addExam(db, { creator: school.people.teacher.id, school: 1, name: '期末考试' });
  const reports: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const answers = [...right, essayOf(`答${place}`), '1', essayOf('再答')];
    reports.push(
      await submitExamReport(db, exam, school.students.k4[place] as number, answers, { at: noon - 100 + place }),
    );
  }
  return { exam, essay: exam.questions[5] as number, part: exam.questions[7] as number, reports };
}

const address = (report: number | undefined, more = '') => `/exams/approve?report_id=${report}${more}`;
const places = (page: Page) =>
  [...page.document.querySelectorAll('[aria-label^=答题卡] ol li > *')].map((place) =>
    place.getAttribute('aria-label'),
  );
const reportOf = (id: number | undefined) =>
  school.database.db
    .selectFrom('exam_report')
    .select(['test_status', 'user_score', 'comment'])
    .where('id', '=', id ?? 0)
    .executeTakeFirstOrThrow();

describe('exam grading without client JS', () => {
  it('shows student, answer, panel and card to both identities', async () => {
    const { reports } = await addReports(2);
    for (const visitor of [teacher, assist]) {
      const page = await visitor.get(address(reports[0]));
      expect(page.status).toBe(200);
      for (const words of ['期末考试', '客观题得分', '50.0/60.0', '本考试待批改', '2 份', '第 6 题', '简答题', '答0']) {
        expect(page.text).toContain(words);
      }
      expect(places(page)).toEqual(['6 待批改', '7.2 待批改']);
    }
  });

  it('uses exam types, and describes matching pairs in words on the objective tab', async () => {
    const { reports } = await addReports(1);
    const { text } = await teacher.get(address(reports[0], '&type=2'));
    for (const kind of ['第 1 题单选题', '第 2 题判断题', '第 3 题多选题', '第 4 题连线题', '第 5 题填空题']) {
      expect(text.replaceAll(' ', '')).toContain(kind.replaceAll(' ', ''));
    }
    expect(text).toContain('1–A（正确）、2–A（错误）');
  });

  it('regrades a blank with a reason on the objective tab, and undoes that', async () => {
    const { reports } = await addReports(1);
    const scores = async () => (await reportOf(reports[0])).user_score;
    const before = await scores();
    for (const visitor of [teacher, assist]) {
      const at = address(reports[0], '&type=2');
      const form = formOf(await visitor.get(at), '改判为错误').fields;
      const refused = await visitor.post(at, form);
      expect([refused.status, refused.text.includes('请填写改判理由')]).toEqual([422, true]);
      const judged = await visitor.post(
        at,
        form.map(([name, value]): [string, string] => [name, name === 'reason' ? '答案有误' : value]),
      );
      const shown = await visitor.follow(judged);
      expect(shown.text).toContain('改判成功，1份答案的得分已改变');
      expect(shown.text).toContain('改判，理由：答案有误');
      expect(shown.text).toContain('本考试中相同的答案一并改判');
      expect(before - (await scores())).toBe(30);
      const undone = await visitor.follow(await visitor.post(at, formOf(shown, '撤销改判').fields));
      expect(undone.text).toContain('已撤销改判');
      expect(await scores()).toBe(before);
    }
  });

  it('saves, advances, finishes with a comment, and opens the next submission', async () => {
    const { reports, part } = await addReports(2);
    const first = await teacher.get(address(reports[0]));
    const second = await teacher.follow(
      await send(teacher, address(reports[0]), first, 'save', { user_score: '１５.5' }),
    );
    expect(second.text).toContain('保存成功');
    expect(places(second)).toEqual(['6 已批改', '7.2 待批改']);
    const at = address(reports[0], `&ques_id=${part}`);
    const third = await teacher.follow(await send(teacher, at, second, 'save', { user_score: '20' }));
    expect(third.text).toContain('本份答卷已全部批改，可以完成批改');
    const dialog = await teacher.follow(await teacher.post(at, panel(third, 'finish')));
    expect(dialog.text).toContain('总评语');
    const fields = { idempotency_key: 'k1', comment: '继续努力' };
    const next = await teacher.follow(await teacher.post(`/exams/approve/finish?report_id=${reports[0]}`, fields));
    expect(next.text).toContain('已完成批改：排名第');
    expect(next.text).toContain('答1');
    expect(await reportOf(reports[0])).toEqual({ test_status: 3, user_score: 855, comment: '继续努力' });
    const again = await teacher.get(address(reports[0]));
    expect(again.text).toContain('该答卷已批改完成');
    expect(again.document.querySelector('form#grade')).toBeNull();
  });

  it('returns to the exam after the last submission', async () => {
    const { exam, reports, essay, part } = await addReports(1);
    for (const question_id of [essay, part]) {
      const body = { report_id: reports[0], question_id, score: 5, version: 0 };
      expect((await school.as('teacher').post('testDetail/approveQuestion', body)).status).toBe(200);
    }
    const ended = await teacher.post(`/exams/approve/finish?report_id=${reports[0]}`, { idempotency_key: 'k2' });
    expect(ended.location).toBe(`/exams/detail?id=${exam.id}`);
    const twice = await teacher.post(`/exams/approve/finish?report_id=${reports[0]}`, { idempotency_key: 'k3' });
    expect([twice.status, twice.text.includes('该答卷已批改完成，不能重复批改')]).toEqual([409, true]);
  });

  it('returns to the filtered papers after the last submission', async () => {
    const { exam, reports, part } = await addReports(1);
    const from = `/exams/detail?id=${exam.id}&test_status=2`;
    const link = (await teacher.get(from)).document.querySelector(`a[href^="/exams/approve?report_id=${reports[0]}&"]`);
    const desk = link?.getAttribute('href') ?? '';
    const second = await teacher.follow(
      await send(teacher, desk, await teacher.get(desk), 'save', { user_score: '5' }),
    );
    await send(teacher, `${desk}&ques_id=${part}`, second, 'save', { user_score: '5' });
    const done = await teacher.post(desk.replace('approve?', 'approve/finish?'), { comment: '' });
    expect(done.location).toBe(from);
  });

  it('returns refused marks, conflicts and long comments with typed text', async () => {
    const { reports, essay } = await addReports(1);
    const page = await teacher.get(address(reports[0]));
    const refused = await send(teacher, address(reports[0]), page, 'save', {
      user_score: '21',
      review_comment: '写着',
    });
    expect(refused.status).toBe(422);
    expect(refused.document.querySelector('#user_score-error')?.textContent).toBe('得分应在0.0到20.0之间');
    expect(refused.document.querySelector('#user_score')?.getAttribute('value')).toBe('21');
    const long = await send(teacher, address(reports[0]), page, 'save', {
      user_score: '2',
      review_comment: '评'.repeat(301),
    });
    expect([long.status, long.text.includes('评语最多300个字')]).toEqual([422, true]);
    const body = { report_id: reports[0], question_id: essay, score: 8, version: 0 };
    await school.as('assist').post('testDetail/approveQuestion', body);
    const conflict = await send(teacher, address(reports[0]), page, 'save', { user_score: '3' });
    expect(conflict.status).toBe(409);
    expect(conflict.text).toContain('该题已由姓名assist批改，得分8');
    const mine = await send(teacher, address(reports[0]), conflict, 'save');
    expect(mine.status).toBe(302);
    expect(await reportOf(reports[0])).toMatchObject({ user_score: 530 });
  });

  it('skips a student, says when nobody is left, and answers 404 without access', async () => {
    const { reports } = await addReports(2);
    const first = await teacher.get(address(reports[0]));
    const second = await teacher.follow(await send(teacher, address(reports[0]), first, 'skip'));
    expect(second.text).toContain('答1');
    const at = address(reports[1], `&skip=${reports[0]}`);
    const last = await teacher.follow(await send(teacher, at, second, 'skip'));
    expect(last.text).toContain('已是最后一名学员');
    expect((await teacher.get(address(99_999_999))).status).toBe(404);
    const plain = await signInAs(school, app, 'plainTeacher');
    expect((await plain.get(address(reports[0]))).status).toBe(403);
  });

  it('grades one question over all submissions, and finishes them together', async () => {
    const { reports, essay, part } = await addReports(2);
    for (const report_id of reports) {
      const body = { report_id, question_id: part, score: 5, version: 0 };
      await school.as('teacher').post('testDetail/approveQuestion', body);
    }
    const at = address(reports[0], `&ques_id=${essay}&by=question`);
    const first = await teacher.get(at);
    expect(first.text).toContain('答题卡（学员）');
    expect(places(first)).toEqual(['1 待批改', '2 待批改']);
    const second = await teacher.follow(await send(teacher, at, first, 'save', { user_score: '20' }));
    expect(second.text).toContain('答1');
    const secondAt = address(reports[1], `&ques_id=${essay}&by=question`);
    const last = await teacher.follow(await send(teacher, secondAt, second, 'save', { user_score: '10' }));
    expect(last.text).toContain('完成全部已批改的答卷（2 份）');
    const ending = secondAt.replace('approve?', 'approve/finish-all?');
    expect((await teacher.get(ending)).text).toContain('本考试有 2 份答卷的题目已全部批改');
    const ended = await teacher.follow(await teacher.post(ending, { idempotency_key: 'all' }));
    expect(ended.text).toContain('已完成 2 份答卷的批改');
    const read = await teacher.get(`/exams/approve/view?report_id=${reports[1]}`);
    expect(read.text).toContain('批改记录');
    expect(read.text).toContain('第 6 题 未评分 → 10.0 分');
  });

  it('shows a message and a way back instead of a form bound to fail', async () => {
    for (const visitor of [teacher, assist]) {
      const { reports, essay, part } = await addReports(1);
      const [report_id] = reports;
      const at = address(report_id, `&ques_id=${part}`);
      const over = (form: string) => at.replace('approve?', `approve/${form}?`);
      const refusalOf = (said: string) => ({ status: 409, said, forms: 0, back: at });
      expect(await refusalAt(visitor, over('finish'))).toEqual(refusalOf('还有题目未批改，不能完成批改'));
      expect(await refusalAt(visitor, over('finish-all'))).toEqual(refusalOf('没有可以完成批改的答卷'));
      expect(await refusalAt(visitor, over('same'))).toEqual(refusalOf('没有相同的答案'));
      for (const question_id of [essay, part]) {
        await school.as('teacher').post('testDetail/approveQuestion', { report_id, question_id, score: 5, version: 0 });
      }
      for (const form of ['finish', 'finish-all']) {
        const page = await visitor.get(over(form));
        expect([page.status, page.document.querySelectorAll('dialog form').length]).toEqual([200, 1]);
      }
      await visitor.post(over('finish'), { comment: '' });
      for (const form of ['finish', 'same']) {
        expect(await refusalAt(visitor, over(form))).toEqual(refusalOf('该答卷已批改完成'));
      }
      expect(await refusalAt(visitor, over('finish-all'))).toEqual(refusalOf('没有可以完成批改的答卷'));
    }
  });

  it('grades equal answers together after naming their students, and undoes that', async () => {
    const { reports, part } = await addReports(2);
    const at = address(reports[0], `&ques_id=${part}`);
    const page = await teacher.get(at);
    expect(page.text).toContain('另有 1 份相同的答案');
    const dialog = await teacher.follow(await teacher.post(at, panel(page, 'same')));
    expect(dialog.text).toContain('以下 1 名学员的答案与本份完全相同');
    const form = dialog.document.querySelector('dialog form');
    const answer = form?.querySelector('input[name=answer]')?.getAttribute('value') ?? '';
    const fields = { idempotency_key: 'same', version: '0', answer, user_score: '7.5', review_comment: '好' };
    const sameAt = at.replace('approve?', 'approve/same?');
    const refused = await teacher.post(sameAt, { ...fields, user_score: '' });
    expect([refused.status, refused.text.includes('请填写本题得分')]).toEqual([422, true]);
    const done = await teacher.follow(await teacher.post(sameAt, fields));
    expect(done.text).toContain('已为 2 份相同的答案评分');
    expect((await reportOf(reports[1])).user_score).toBe(500 + 75);
    const { id: batch } = await school.database.db
      .selectFrom('grading_batch')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const undone = await teacher.follow(await teacher.post(`${at}&batch=${batch}`, { intent: 'undo' }));
    expect(undone.text).toContain('已撤销 2 份');
    expect((await reportOf(reports[1])).user_score).toBe(500);
  });
});
