import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recountHomework } from '#server/homework/assign.ts';
import { expiredVisitor, openApp, ownScripts, type Page, signInAs, type Visitor } from '../support/app.ts';
import { panel, refusalAt, send } from '../support/grade-panel.ts';
import { addPaper, essayOf, type Paper, submitHomeworkReport } from '../support/paper.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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

/** Creates the only waiting reports, in the second class. */
async function addReports(count: number, mode: 1 | 2 = 2, answers: Parameters<typeof submitHomeworkReport>[3] = {}) {
  const { db } = school.database;
  await db.updateTable('report').set({ status: 3 }).where('status', '=', 2).execute();
  for (const { id } of await db.selectFrom('homework').select('id').execute()) await recountHomework(db, id);
  const paper = await addPaper(
    school,
    { creator: 'teacher', classes: [school.classes.k2], period: school.periods.mine, ending: noon + day },
    mode,
  );
  const reports: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const student = school.students.k2[place] as number;
    reports.push(await submitHomeworkReport(school, paper, student, answers, noon - 100 + place));
  }
  return { paper, reports };
}

const address = (report: number | undefined, more = '') => `/homework/approve?report_id=${report}&class_id=0${more}`;

const places = (page: Page) =>
  [...page.document.querySelectorAll('[aria-label=答题卡] ol li > *')].map((place) => place.getAttribute('aria-label'));
const markOf = async (report: number | undefined, paper: Paper) =>
  school.database.db
    .selectFrom('answer')
    .select(['score', 'status', 'review_comment'])
    .where('report_id', '=', report ?? 0)
    .where('question_id', '=', paper.questions.essay)
    .executeTakeFirstOrThrow();

describe('grading without client JS', () => {
  it('shows the student, the answer, the panel and the card', async () => {
    const { reports } = await addReports(2);
    const page = await teacher.get(address(reports[0]));
    expect(page.status).toBe(200);
    for (const text of [
      '学生二班1',
      '二班',
      '高一数学',
      '第一讲 集合',
      '客观题得分10.0/10.0',
      '本作业待批改2 份',
      '10.0 分',
      '/ 10.0 分',
    ]) {
      expect(page.text).toContain(text);
    }
    for (const text of ['甲的答案', '参考答案', '得分', '评语', '附件', '完成批改', '跳过该学员', '还有 2 题待批改']) {
      expect(page.text).toContain(text);
    }
    expect(places(page)).toEqual(['2 待批改', '3.2 待批改']);
    expect((await assist.get(address(reports[0]))).status).toBe(200);
  });

  it('starts from the list', async () => {
    const { reports } = await addReports(1);
    const list = await teacher.get('/homework?tab=approve');
    const start = list.document.querySelector('tbody button[name=intent]')?.getAttribute('value') ?? '';
    const started = await teacher.post('/homework?tab=approve', { intent: start });
    expect(started.location).toBe(address(reports[0]));
  });

  it('saves an answer, advances, finishes, and opens the next report', async () => {
    const { reports, paper } = await addReports(2);
    const first = address(reports[0]);
    let page = await teacher.follow(
      await send(teacher, first, await teacher.get(first), 'save', { user_score: '８．５', review_comment: '好' }),
    );
    expect(page.text).toContain('保存成功');
    expect(page.text).toContain('第 3.2 题');
    expect(places(page)).toEqual(['2 已批改', '3.2 待批改']);
    expect(await markOf(reports[0], paper)).toEqual({ score: 85, status: 5, review_comment: '好' });
    const second = address(reports[0], `&ques_id=${paper.questions.partEssay}`);
    page = await teacher.follow(await send(teacher, second, page, 'save', { user_score: '5.5' }));
    expect(page.text).toContain('本份作业已全部批改，可以完成批改');
    const dialog = await teacher.follow(await send(teacher, second, page, 'finish'));
    expect(dialog.text).toContain('完成后不能再修改评分');
    const key = dialog.document.querySelector('[name=idempotency_key]')?.getAttribute('value') ?? '';
    const at = `/homework/approve/finish?report_id=${reports[0]}&class_id=0`;
    const finished = await teacher.post(at, { idempotency_key: key, comment: '继续努力' });
    expect(finished.location).toBe(address(reports[1]));
    expect((await teacher.get(first)).text).toContain('该作业已批改完成');
  });

  it('returns to the list after the last report', async () => {
    const { reports } = await addReports(1, 2, { essay: '', partEssay: essayOf('答') });
    const first = address(reports[0]);
    const page = await teacher.follow(
      await send(teacher, first, await teacher.get(first), 'save', { user_score: '5' }),
    );
    expect(page.text).toContain('可以完成批改');
    const done = await teacher.post(`/homework/approve/finish?report_id=${reports[0]}&class_id=0`, { comment: '' });
    expect(done.location).toBe('/homework?tab=approve');
  });

  it('returns to its starting page after the last report', async () => {
    const entries: [Visitor, (paper: Paper, report: number) => Promise<[from: string, desk: string]>][] = [];
    const byLink = (from: (paper: Paper) => string) => async (paper: Paper, report: number) => {
      const page = await teacher.get(from(paper));
      const link = page.document.querySelector(`a[href^="/homework/approve?report_id=${report}&"]`);
      return [from(paper), link?.getAttribute('href') ?? ''] as [string, string];
    };
    entries.push(
      [
        assist,
        async (paper) => {
          const list = '/homework?tab=approve&nickname=%E4%BA%8C%E7%8F%AD';
          const start = `start ${paper.homeworkId} ${school.students.k2[0]}`;
          return [list, (await assist.post(list, { intent: start })).location ?? ''];
        },
      ],
      [
        teacher,
        async (paper) => {
          const list = '/homework?tab=main&show_other=1';
          return [list, (await teacher.post(list, { intent: `start ${paper.homeworkId}` })).location ?? ''];
        },
      ],
      [teacher, byLink((paper) => `/homework/detail?hw_id=${paper.homeworkId}&class_id=0&status=2&limit=20`)],
      [teacher, byLink((paper) => `/homework/detail?hw_id=${paper.homeworkId}&class_id=0&from=arrange`)],
      [teacher, byLink((paper) => `/classes/homework?hw_id=${paper.homeworkId}&class_id=${school.classes.k2}`)],
    );
    for (const [visitor, enter] of entries) {
      const { reports, paper } = await addReports(2, 2, { essay: '', partEssay: essayOf('答') });
      let [from, desk] = await enter(paper, reports[0] as number);
      for (const [place, report] of reports.entries()) {
        expect(desk).toContain(`report_id=${report}`);
        const page = await visitor.follow(
          await send(visitor, desk, await visitor.get(desk), 'save', { user_score: '5' }),
        );
        const dialog = await send(visitor, desk, page, 'finish');
        expect(dialog.location).toContain('/finish?');
        const done = await visitor.post(dialog.location ?? '', { comment: '' });
        if (place === 0) desk = done.location ?? '';
        else expect(done.location).toBe(from);
      }
    }
  });

  it('ignores external return addresses', async () => {
    for (const foreign of ['https://evil.test/', '//evil.test/', '/\\evil.test/', '/\t/evil.test/']) {
      const { reports } = await addReports(1, 2, { essay: '', partEssay: essayOf('答') });
      const at = address(reports[0], `&back=${encodeURIComponent(foreign)}`);
      await send(teacher, at, await teacher.get(at), 'save', { user_score: '5' });
      const done = await teacher.post(at.replace('approve?', 'approve/finish?'), { comment: '' });
      expect(done.location).toBe('/homework?tab=approve');
    }
  });

  it('returns a refused mark with typed text and an error by field', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    const long = '评'.repeat(301);
    for (const [typed, message] of [
      [{ user_score: '', review_comment: '步骤' }, '请填写本题得分'],
      [{ user_score: '5.55', review_comment: '步骤' }, '得分最多一位小数'],
      [{ user_score: '11', review_comment: '步骤' }, '得分应在0.0到10.0之间'],
      [{ user_score: '-1', review_comment: '步骤' }, '得分应在0.0到10.0之间'],
      [{ user_score: '五', review_comment: '步骤' }, '得分只能填写数字'],
      [{ user_score: '5', review_comment: long }, '评语最多300个字'],
    ] as const) {
      const refused = await send(teacher, at, page, 'save', typed);
      expect([refused.status, typed.user_score]).toEqual([422, typed.user_score]);
      expect(refused.text).toContain(message);
      expect(refused.document.querySelector('#user_score')?.getAttribute('value')).toBe(typed.user_score);
      expect(refused.document.querySelector('textarea')?.textContent?.trim()).toBe(typed.review_comment);
    }
    expect((await markOf(reports[0], paper)).status).toBe(4);
  });

  it('requires a rating for rated homework', async () => {
    const { reports, paper } = await addReports(1, 1);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    expect(page.text).toContain('客观题正确率100%');
    expect(page.document.querySelectorAll('[name=user_score]')).toHaveLength(6);
    const refused = await send(teacher, at, page, 'save');
    expect([refused.status, refused.text.includes('请选择本题正确率')]).toEqual([422, true]);
    await send(teacher, at, page, 'save', { user_score: '75' });
    expect(await markOf(reports[0], paper)).toMatchObject({ score: 75, status: 5 });
  });

  it('saves typed text when a card link is pressed, without requiring a mark', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    const goto = `goto ${paper.questions.partEssay}`;
    expect(page.document.querySelector(`button[form=grade][value="${goto}"]`)).not.toBeNull();
    const gone = await send(teacher, at, page, goto, { review_comment: '看不清' });
    expect(gone.location).toContain(`ques_id=${paper.questions.partEssay}`);
    expect(await markOf(reports[0], paper)).toMatchObject({ status: 4, review_comment: '看不清' });
  });

  it("keeps a colleague's mark when only navigating", async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    const theirs = { report_id: reports[0], ques_id: paper.questions.essay, user_score: 9, type: 2, version: 0 };
    await school.as('assist').post('hw/review/storeQuestion', theirs);
    expect((await send(teacher, at, page, `goto ${paper.questions.partEssay}`)).status).toBe(302);
    expect((await markOf(reports[0], paper)).score).toBe(90);
  });

  it('shows both marks of a conflict, and lets the grader choose', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    const theirs = { report_id: reports[0], ques_id: paper.questions.essay, user_score: 9, type: 2, version: 0 };
    await school.as('assist').post('hw/review/storeQuestion', theirs);
    const refused = await send(teacher, at, page, 'save', { user_score: '3' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('该题已由姓名assist批改，得分9.0');
    expect(refused.text).toContain('第 2 题简答题');
    expect(refused.text).toContain('姓名assist：9.0 分，您的评分：3.0 分');
    expect((await markOf(reports[0], paper)).score).toBe(90);
    await send(teacher, at, refused, 'save');
    expect((await markOf(reports[0], paper)).score).toBe(30);
  });

  it('skips a student for this pass, and says when nobody is left', async () => {
    const { reports } = await addReports(2);
    const at = address(reports[0]);
    const next = await send(teacher, at, await teacher.get(at), 'skip');
    expect(next.location).toBe(address(reports[1], `&skip=${reports[0]}`));
    const page = await teacher.follow(next);
    const last = await teacher.follow(await send(teacher, next.location ?? '', page, 'skip'));
    expect(last.text).toContain('已是最后一名学员');
    expect(last.text).toContain('学生二班2');
  });

  it('attaches a file through the form, and removes one', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const form = new FormData();
    for (const [name, value] of Object.entries(panel(await teacher.get(at), 'attach', { user_score: '4' }))) {
      form.set(name, value);
    }
    form.set('files', new File([new Uint8Array(png)], '批注.png', { type: 'image/png' }));
    let page = await teacher.follow(await teacher.postForm(at, form));
    expect(page.text).toContain('上传成功');
    expect(page.text).toContain('批注.png');
    // Every allowed type can be chosen, and is shown with its type.
    const accepted = page.document.querySelector('#files')?.getAttribute('accept')?.split(',') ?? [];
    expect(accepted).toEqual(expect.arrayContaining(['.png', '.docx', '.pdf', '.zip', '.mp3', '.xlsx']));
    expect(page.document.querySelector('a[href^="/files/"]')?.textContent).toBe('PNG批注.png');
    expect((await markOf(reports[0], paper)).score).toBe(40);
    const file = page.document.querySelector('a[href^="/files/"]')?.getAttribute('href') ?? '';
    expect((await teacher.get(file)).status).toBe(200);
    const fields = panel(page, 'save');
    delete fields.keep_attachment;
    await teacher.post(`${at}&ques_id=${paper.questions.essay}`, fields);
    page = await teacher.get(`${at}&ques_id=${paper.questions.essay}`);
    expect(page.text).not.toContain('批注.png');
  });

  it('takes a file as large as with a script, and keeps all input on refusal', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const formWith = async (file: File) => {
      const fields = panel(await teacher.get(at), 'save', { user_score: '4', review_comment: '请看附件' });
      const form = new FormData();
      form.set('files', file);
      // The server reads fields that come after the file.
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return form;
    };
    const unknown = await teacher.postForm(at, await formWith(new File([Buffer.alloc(1_000_000)], '程序.exe')));
    expect(unknown.status).toBe(415);
    expect(unknown.document.querySelector('#files-error')?.textContent).toContain('不支持的文件格式');
    expect(unknown.document.querySelector('#user_score')?.getAttribute('value')).toBe('4');
    expect(unknown.document.querySelector('#review_comment')?.textContent).toBe('请看附件');
    const pages = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(21 * 1024 * 1024, ' ')]);
    const saved = await teacher.follow(await teacher.postForm(at, await formWith(new File([pages], '讲解"一".pdf'))));
    expect(saved.text).toContain('保存成功');
    expect(await markOf(reports[0], paper)).toMatchObject({ score: 40 });
    expect((await teacher.get(`${at}&ques_id=${paper.questions.essay}`)).text).toContain('讲解');
  });

  it('keeps typed text when the session expires', async () => {
    const { reports, paper } = await addReports(1);
    const at = address(reports[0]);
    const fields = panel(await teacher.get(at), 'save', {
      user_score: '6',
      review_comment: '一条很长很长很长的评语，写了很久很久很久很久',
    });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const expired = await expiredVisitor(app);
    const refused = await expired.postForm(at, form);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('一条很长很长很长的评语，写了很久很久很久很久');
    const kept = refused.document.querySelector('[name=resume_body]')?.getAttribute('value') ?? '';
    expect(new URLSearchParams(kept).get('user_score')).toBe('6');
    expect((await teacher.post(at, [...new URLSearchParams(kept)])).status).toBe(302);
    expect(await markOf(reports[0], paper)).toMatchObject({ score: 60 });
  });

  it('keeps typed text when the equal answers dialog is cancelled', async () => {
    const { reports, paper } = await addReports(2);
    const at = address(reports[0]);
    const typed = { user_score: '6', review_comment: '先写步骤' };
    const dialog = await teacher.follow(await send(teacher, at, await teacher.get(at), 'same', typed));
    expect(dialog.document.querySelector('#same_score')?.getAttribute('value')).toBe('6');
    const cancel = [...dialog.document.querySelectorAll('a')].find((a) => a.textContent?.trim() === '取消');
    const back = await teacher.get(cancel?.getAttribute('href') ?? '');
    expect(back.document.querySelector('#user_score')?.getAttribute('value')).toBe('6');
    expect(back.document.querySelector('textarea')?.textContent?.trim()).toBe('先写步骤');
    expect(await markOf(reports[0], paper)).toMatchObject({ score: null, status: 4 });
    // After saving, the address no longer carries the typed values.
    const saved = await send(teacher, at, back, 'save', typed);
    expect([saved.status, saved.location?.includes('typed_')]).toEqual([302, false]);
    expect(await markOf(reports[0], paper)).toEqual({ score: 60, status: 5, review_comment: '先写步骤' });
  });

  it('grades equal answers together after naming their students, and undoes that', async () => {
    const { reports, paper } = await addReports(3);
    const at = address(reports[0]);
    const page = await teacher.get(at);
    expect(page.text).toContain('另有 2 份相同的答案');
    const dialog = await teacher.follow(await send(teacher, at, page, 'same'));
    expect(dialog.text).toContain('学生二班2');
    expect(dialog.text).toContain('学生二班3');
    const answers = [...dialog.document.querySelectorAll('[name=answer]')].map(
      (one) => one.getAttribute('value') ?? '',
    );
    const same = `/homework/approve/same?report_id=${reports[0]}&class_id=0&ques_id=${paper.questions.essay}`;
    const wrong = await teacher.post(same, { user_score: '99', version: '0', answer: answers });
    expect([wrong.status, wrong.text.includes('得分应在0.0到10.0之间')]).toEqual([422, true]);
    const graded = await teacher.follow(
      await teacher.post(same, { user_score: '7', review_comment: '略', version: '0', answer: answers }),
    );
    expect(graded.text).toContain('已为 3 份相同的答案评分');
    for (const report of reports) expect((await markOf(report, paper)).score).toBe(70);
    const batch = /batch=(\d+)/.exec(graded.html)?.[1];
    expect(batch).toBeDefined();
    const undone = await teacher.follow(
      await teacher.post(`${at}&ques_id=${paper.questions.essay}&batch=${batch}`, { intent: 'undo' }),
    );
    expect(undone.text).toContain('已撤销 3 份');
    for (const report of reports) expect((await markOf(report, paper)).status).toBe(4);
  });

  it('shows a message and a way back instead of a form bound to fail', async () => {
    const over = (at: string, form: string) => at.replace('approve?', `approve/${form}?`);
    for (const visitor of [teacher, assist]) {
      const { reports, paper } = await addReports(2);
      const [report_id, other] = reports;
      const at = address(report_id, `&ques_id=${paper.questions.essay}`);
      const refusalOf = (said: string, back = at) => ({ status: 409, said, forms: 0, back });
      const mark = (report: number | undefined, ques_id: number) => {
        const body = { report_id: report, ques_id, user_score: 5, type: 2, version: 0 };
        return school.as('teacher').post('hw/review/storeQuestion', body);
      };
      expect(await refusalAt(visitor, over(at, 'finish'))).toEqual(refusalOf('还有题目未批改，不能完成批改'));
      expect(await refusalAt(visitor, over(at, 'finish-all'))).toEqual(refusalOf('没有可以完成批改的报告'));
      await mark(other, paper.questions.essay);
      expect(await refusalAt(visitor, over(at, 'same'))).toEqual(refusalOf('没有相同的答案'));
      const foreign = address(report_id, '&ques_id=99999999');
      expect(await refusalAt(visitor, over(foreign, 'same'))).toMatchObject({ status: 404, forms: 0 });

      await mark(report_id, paper.questions.essay);
      await mark(report_id, paper.questions.partEssay);
      for (const form of ['finish', 'finish-all']) {
        const page = await visitor.get(over(at, form));
        expect([page.status, page.document.querySelectorAll('dialog form').length]).toEqual([200, 1]);
      }
      await school.as('teacher').post('hw/review/storeReview', { report_id, comment: '' });
      for (const form of ['finish', 'same']) {
        expect(await refusalAt(visitor, over(at, form))).toEqual(refusalOf('该作业已批改完成'));
      }
      await mark(other, paper.questions.partEssay);
      await school.as('teacher').post(`hw/withdraw/${paper.homeworkId}`);
      const recalled = address(other, `&ques_id=${paper.questions.essay}`);
      for (const form of ['finish', 'finish-all', 'same']) {
        const sentence = '该作业已撤回，作业记录已消失';
        expect(await refusalAt(visitor, over(recalled, form))).toEqual(refusalOf(sentence, '/homework'));
      }
    }
  });

  it("offers the grader's earlier comments", async () => {
    const { reports, paper } = await addReports(2);
    const at = address(reports[0]);
    await send(teacher, at, await teacher.get(at), 'save', { user_score: '6', review_comment: '步骤不全' });
    const second = address(reports[1]);
    const page = await teacher.get(second);
    const filled = await send(teacher, second, page, 'comment 步骤不全', { user_score: '4', review_comment: '好' });
    expect(filled.document.querySelector('textarea')?.textContent?.trim()).toBe('好\n步骤不全');
    expect(filled.document.querySelector('#user_score')?.getAttribute('value')).toBe('4');
    expect((await markOf(reports[1], paper)).status).toBe(4);
  });

  it('saves typed text before opening pinned comments, which apply to every answer', async () => {
    const { reports, paper } = await addReports(2);
    const at = address(reports[0], `&ques_id=${paper.questions.essay}`);
    const panel = await send(teacher, at, await teacher.get(at), 'comments', {
      user_score: '6',
      review_comment: '再看',
    });
    expect(panel.location).toBe(at.replace('approve?', 'approve/comments?'));
    expect(await markOf(reports[0], paper)).toMatchObject({ review_comment: '再看' });
    const dialog = await teacher.get(panel.location as string);
    expect([...dialog.document.querySelectorAll('dialog input:not([type=hidden])')]).toHaveLength(9);
    expect(dialog.document.querySelector('dialog option')?.getAttribute('value')).toBe('再看');
    const refused = await teacher.post(panel.location as string, { q: '字'.repeat(301), w: '写明步骤' });
    expect([refused.status, refused.document.querySelector('#w')?.getAttribute('value')]).toEqual([422, '写明步骤']);
    expect(refused.document.querySelector('#q-error')?.textContent).toBe('评语最多300个字');
    const kept = await teacher.post(panel.location as string, { w: '写明步骤' });
    expect(kept.location).toBe(at);
    const other = await teacher.get(address(reports[1]));
    const offered = [...other.document.querySelectorAll('fieldset[aria-label=常用评语] button')];
    expect(offered.map((button) => button.textContent)).toEqual(['写明步骤', '再看', '编辑']);
    await school.as('teacher').put('hw/review/pinned', {});
  });

  it('grades one question over all students', async () => {
    const { reports, paper } = await addReports(3);
    const way = `&ques_id=${paper.questions.essay}&by=question`;
    const at = address(reports[0], way);
    const page = await teacher.get(at);
    expect([...page.document.querySelectorAll('[aria-label^=答题卡] ol li')].map((li) => li.textContent)).toEqual([
      '1',
      '2',
      '3',
    ]);
    const next = await send(teacher, at, page, 'save', { user_score: '6' });
    expect(next.location).toBe(address(reports[1], way));
    const jump = await send(teacher, next.location ?? '', await teacher.follow(next), `goto ${reports[2]}`);
    expect(jump.location).toBe(address(reports[2], way));
    const last = await send(teacher, jump.location ?? '', await teacher.follow(jump), 'save', { user_score: '6' });
    expect(last.location).toBe(address(reports[1], way));
    const done = await teacher.follow(
      await send(teacher, last.location ?? '', await teacher.follow(last), 'save', { user_score: '6' }),
    );
    expect(done.text).toContain('本题已全部批改');
    for (const report_id of reports) {
      const rest = { report_id, ques_id: paper.questions.partEssay, user_score: 1, type: 2, version: 0 };
      await school.as('teacher').post('hw/review/storeQuestion', rest);
    }
    const all = [...(await teacher.get(at)).document.querySelectorAll('a')].find((a) =>
      a.textContent?.includes('完成全部'),
    );
    expect(all?.textContent).toBe('完成全部已批改的报告（3 份）');
    const dialog = await teacher.get(all?.getAttribute('href') ?? '');
    expect(dialog.text).toContain('本作业有 3 份报告的题目已全部批改');
    const finished = await teacher.post(all?.getAttribute('href') ?? '', { idempotency_key: 'finish-all' });
    expect(finished.location).toBe('/homework?tab=approve');
    expect((await teacher.follow(finished)).text).toContain('已完成 3 份报告的批改');
  });

  it('shows right answers on the objective tab, with a passive card', async () => {
    const { reports } = await addReports(1, 2, { choice: '1' });
    const page = await teacher.get(address(reports[0], '&type=2'));
    expect(page.text).toContain('第 3.1 题');
    expect(page.text).toContain('学员答案A');
    expect(page.text).toContain('正确答案B');
    const card = page.document.querySelector('[aria-label=答题卡]');
    expect(card?.querySelectorAll('button, a')).toHaveLength(0);
    expect(page.text).not.toContain('跳过该学员');
    expect(page.document.querySelector('form#grade')).toBeNull();
  });

  it('refuses recalled homework, unsubmitted and foreign reports', async () => {
    const { reports, paper } = await addReports(1);
    await school.as('teacher').post(`hw/withdraw/${paper.homeworkId}`);
    const recalled = await teacher.get(address(reports[0]));
    expect([recalled.status, recalled.text.includes('该作业已撤回，作业记录已消失')]).toEqual([409, true]);
    expect(recalled.text).not.toContain('甲的答案');
    const foreign = await addPaper(school, {
      creator: 'otherTeacher',
      course: school.courses.theirs,
      classes: [school.classes.k3],
      ending: noon + day,
    });
    const theirs = await submitHomeworkReport(school, foreign, school.students.k3[0] as number, {}, noon);
    for (const path of [address(theirs), address(0), address(99_999_999), '/homework/approve?report_id=x']) {
      expect((await teacher.get(path)).status).toBe(404);
    }
    const plain = await signInAs(school, app, 'plainTeacher');
    expect((await plain.get(address(reports[0]))).status).toBe(403);
  });

  it('answers the hydrated page in JSON, also when the session has ended', async () => {
    const { reports, paper } = await addReports(1);
    const cookie = [...teacher.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const ask = async (path: string, body?: unknown, cookies = cookie, origin = 'http://school.test') => {
      const response = await app.fetch(
        new Request(`http://school.test/homework/approve/${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { host: 'school.test', cookie: cookies, origin, 'content-type': 'application/json' },
          body: body ? JSON.stringify(body) : undefined,
        }),
      );
      return {
        status: response.status,
        body: (await response.json().catch(() => undefined)) as { msg?: string; data?: { version?: number } },
      };
    };
    const mark = {
      kind: 'mark',
      report_id: reports[0],
      ques_id: paper.questions.essay,
      version: 0,
      type: 2,
      user_score: '6',
    };
    expect((await ask('save', mark, '')).status).toBe(401);
    expect((await ask('save', mark, cookie, 'http://evil.test')).status).toBe(403);
    expect((await ask('save', { kind: 'other' })).status).toBe(400);
    expect((await ask('save', mark)).body.data?.version).toBe(1);
    expect((await ask('save', { ...mark, user_score: '7' })).status).toBe(409);
    expect((await ask(`report?report_id=${reports[0]}&class_id=0`)).status).toBe(200);
    expect((await ask(`report?report_id=${reports[0]}&class_id=0`, undefined, '')).status).not.toBe(200);
    expect((await ask('report?report_id=99999999')).status).toBe(404);
  });
});

describe('the report views', () => {
  async function addGraded() {
    const { reports, paper } = await addReports(1);
    const body = { report_id: reports[0], type: 2, version: 0, user_score: 5, review_comment: '写得不错' };
    for (const ques_id of [paper.questions.essay, paper.questions.partEssay]) {
      await school.as('teacher').post('hw/review/storeQuestion', { ...body, ques_id });
    }
    await school.as('teacher').post('hw/review/storeReview', { report_id: reports[0], comment: '继续努力' });
    return reports[0] as number;
  }

  it('show drawings, card, comments and changes in HomeworkApproveView, without a script', async () => {
    const report = await addGraded();
    const page = await teacher.get(`/homework/approve/view?report_id=${report}&class_id=0`);
    expect(page.status).toBe(200);
    for (const text of [
      '答题卡',
      '评语',
      '写得不错',
      '继续努力',
      '得分20.0/25.5',
      '批改记录',
      '第 2 题 未评分 → 5.0 分',
      '完成批改',
    ]) {
      expect(page.text).toContain(text);
    }
    expect(places(page)).toEqual(['1 正确', '2 已批改', '3.1 正确', '3.2 已批改']);
    expect(page.text).not.toContain('待批改 ');
    expect(ownScripts(page)).toEqual([]);
    expect((await assist.get(`/homework/approve/view?report_id=${report}&class_id=${school.classes.k2}`)).status).toBe(
      200,
    );
    expect((await teacher.get(`/homework/approve/view?report_id=${report}&class_id=${school.classes.k1}`)).status).toBe(
      404,
    );
  });

  it("show the report with others' figures in HomeworkStudent", async () => {
    const report = await addGraded();
    const page = await teacher.get(`/homework/student?report_id=${report}`);
    for (const text of [
      '完成率100%',
      '得分20.0/25.5',
      '最高分20.0',
      '平均分20.0',
      '正确答案',
      '参考答案',
      '解析',
      '平均正确率 50%',
    ]) {
      expect(page.text).toContain(text);
    }
    expect((await teacher.get('/homework/student?report_id=0')).status).toBe(404);
    const other = await signInAs(school, app, 'otherAssist');
    expect((await other.get(`/homework/student?report_id=${report}`)).status).toBe(404);
  });
});
