/** The learners' page without client JS: error cases. */
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { issueServiceToken, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import { DatabaseAway } from '#server/platform/db/deadline.ts';
import { storeSetting } from '#server/school/settings.ts';
import { formOf, openApp, type Page, type Visitor } from '../support/app.ts';
import { addExam } from '../support/exams.ts';
import { heicPhoto } from '../support/heic.ts';
import { learnerClient } from '../support/learner.ts';
import { addPaper, essayOf, type Paper } from '../support/paper.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const number = '20260012';

let school: TestSchool;
let visitor: () => Visitor;
let student: Visitor;
let token: string;

it.beforeAll(async () => {
  school = await openTestSchool('SQLite');
  ({ visitor } = await openApp(school));
  const { db } = school.database;
  ({ token } = await issueServiceToken(db, { name: '学员端', now: noon }));
  process.env.LEARN_TOKEN = token;
  await storeSetting(db, 'sms_webhook_url', 'https://sms.example/');
  await db.updateTable('student').set({ number, mobile: '13700001234' }).where('id', '=', uid()).execute();
  student = await signIn();
});
afterAll(async () => {
  delete process.env.LEARN_TOKEN;
  await school?.close();
});

const uid = () => school.students.k1[0] as number;
const db = () => school.database.db;

async function codeFor(person: Visitor, from = '/learn/sign-in'): Promise<{ asked: Page; code: string }> {
  await db().deleteFrom('learner_code').execute();
  const { fields } = formOf(await person.get(from), '获取验证码');
  const filled = fields.map(([name, value]): [string, string] => [name, name === 'number' ? number : value]);
  const asked = await person.post('/learn/sign-in', filled);
  const { content } = await db()
    .selectFrom('sms_outbox')
    .select('content')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return { asked, code: /\d{6}/.exec(content)?.[0] ?? '' };
}

const withCode = (asked: Page, code: string) =>
  formOf(asked, '登录').fields.map(([name, value]): [string, string] => [name, name === 'code' ? code : value]);

async function signIn(): Promise<Visitor> {
  const person = visitor();
  const { asked, code } = await codeFor(person);
  await person.post('/learn/sign-in', withCode(asked, code));
  return person;
}

/** The form's fields with typed values. */
const fillForm = (page: Page, button: string, written: Record<string, string>): [string, string][] => {
  const fields = formOf(page, button).fields.filter(([name]) => !(name in written));
  return [...fields, ...Object.entries(written)];
};
const formData = (fields: [string, string][]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
};
const picture = () =>
  new File(
    [
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    '照片.png',
    { type: 'image/png' },
  );

describe('the learners’ page', () => {
  it("answers 404 without an application's token", async () => {
    delete process.env.LEARN_TOKEN;
    expect((await visitor().get('/learn')).status).toBe(404);
    // Its content security policy allows no script.
    const page = await student.get('/learn');
    expect([page.status, page.html.match(/<script(?![^>]*nonce="[^"]+")[^>]*>/g)]).toEqual([404, null]);
    expect((await visitor().get('/learn/sign-in')).status).toBe(404);
    expect((await student.post('/learn/leave', { intent: 'cancel 1' })).status).toBe(404);
    process.env.LEARN_TOKEN = token;
  });

  it("stays while the school's switch is on, whatever happens to its token", async () => {
    delete process.env.LEARN_TOKEN;
    const status = async () => (await visitor().get('/learn/sign-in')).status;
    expect(await status()).toBe(404);
    await storeSetting(db(), 'learn_page', '1');
    expect(await status()).toBe(200);
    const own = await db().selectFrom('service_token').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    await revokeServiceToken(db(), own.id, noon);
    expect(await status()).toBe(200);
    const { asked, code } = await codeFor(visitor());
    expect([asked.status, code]).toEqual([200, expect.stringMatching(/^\d{6}$/)]);
    process.env.LEARN_TOKEN = '0';
    expect(await status()).toBe(404);
    delete process.env.LEARN_TOKEN;
    await storeSetting(db(), 'learn_page', '0');
    expect(await status()).toBe(404);
    process.env.LEARN_TOKEN = token;
  });

  it('signs in with a code, and continues to the requested page', async () => {
    const person = visitor();
    const away = await person.get('/learn/exams');
    expect(away.location).toBe('/learn/sign-in?redirectTo=%2Flearn%2Fexams');
    const empty = await person.post('/learn/sign-in', { number: ' ', intent: 'send' });
    expect([empty.status, empty.text.includes('请输入学号或手机号')]).toEqual([422, true]);
    const { asked, code } = await codeFor(person, away.location ?? '');
    expect(asked.text).toContain('验证码将发到登记的手机');
    const wrong = await person.post('/learn/sign-in', withCode(asked, code === '000000' ? '000001' : '000000'));
    expect([wrong.status, wrong.text.includes('验证码不正确或已失效，请重新获取')]).toEqual([422, true]);
    const entered = await person.post('/learn/sign-in', withCode(wrong, code));
    expect(entered.location).toBe('/learn/exams');
    expect((await person.follow(entered)).text).toContain('我的考试');
    const home = await person.get('/learn');
    expect(home.text).toContain('学生一班1，你好');
    const out = await person.post('/learn/sign-out', formOf(home, '退出').fields);
    expect(out.location).toBe('/learn/sign-in');
    expect((await person.get('/learn')).status).toBe(302);
  });

  it('refuses unknown buttons', async () => {
    const exam = await addExam(db(), { creator: school.people.teacher.id, school: 1 });
    for (const path of [
      'sign-in',
      'sign-out',
      'leave',
      `exams/${exam.id}`,
      `exams/${exam.id}/hand-in`,
      'leave/ask?class_id=1&course_id=1&period_id=1',
    ]) {
      expect([path, (await student.post(`/learn/${path}`, { intent: 'coffee' })).status]).toEqual([path, 400]);
    }
  });

  it('gives no access to staff pages, nor staff to it', async () => {
    expect((await student.get('/homework')).location).toContain('/login');
    const path = await school.keepPicture();
    expect((await student.get(path)).status).toBe(302);
    expect((await student.get(`/learn${path}`)).status).toBe(200);
    expect((await visitor().get(`/learn${path}`)).status).toBe(302);
  });
});

describe('the lessons', () => {
  it("show when they can be joined, and a meeting's code", async () => {
    const meeting = { class_id: school.classes.k1, staff_id: school.people.teacher.id, room_id: 'r', created_at: noon };
    const codes = { teacher_code: 'T7', assistant_code: 'A7', student_code: 'S7' };
    const during = { start_time: noon + 3600, end_time: noon + 7200 };
    const { id } = await db()
      .insertInto('class_meeting')
      .values({ ...meeting, ...codes, ...during, meeting_name: '家长会' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const lessonsText = async () => (await student.get('/learn/lessons')).text;
    expect(await lessonsText()).toMatch(/家长会.*起可以进入/s);
    expect(await lessonsText()).not.toContain('S7');
    school.setNow(noon + 3600);
    expect(await lessonsText()).toContain('现在可以进入，参会码 S7');
    const joined = await learnerClient(school, token).post('meeting/join', { uid: uid(), student_code: 'S7' });
    expect(joined.status).toBe(200);
    expect(await lessonsText()).toContain('已参加');
    await db().deleteFrom('class_meeting_attendance').where('meeting_id', '=', id).execute();
    await db().deleteFrom('class_meeting').where('id', '=', id).execute();
  });
});

describe('homework being written', () => {
  let paper: Paper;
  let address: string;
  beforeEach(async () => {
    school.setNow(noon);
    paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
    address = `/learn/homework/${paper.homeworkId}`;
  });
  const essay = () => `q${paper.questions.essay}`;
  const draft = async () =>
    (await learnerClient(school, token).get(`homework/${paper.homeworkId}?uid=${uid()}`)).body.data.draft;
  const other = (version: number, content: string) =>
    learnerClient(school, token).post(`homework/${paper.homeworkId}/draft`, {
      uid: uid(),
      version,
      answers: [{ ques_id: paper.questions.essay, user_answer: { content } }],
    });

  it("reports another device's save without losing text", async () => {
    const opened = await student.get(address);
    await other(0, '在平板上写的');
    const refused = await student.postForm(
      address,
      formData(fillForm(opened, '保存草稿', { [essay()]: '在手机上写的' })),
    );
    expect(refused.status).toBe(409);
    for (const words of ['其他设备已保存新的内容，请核对后再保存', '在手机上写的', '已保存的是：在平板上写的'])
      expect(refused.text).toContain(words);
    const kept = await student.postForm(address, formData(fillForm(refused, '保存草稿', {})));
    expect(kept.location).toBe(address);
    expect((await draft()).answers).toEqual([{ ques_id: paper.questions.essay, user_answer: essayOf('在手机上写的') }]);
  });

  it('keeps nine pictures of an answer, and names the refused ones', async () => {
    const form = formData(fillForm(await student.get(address), '保存草稿', {}));
    for (let count = 0; count < 8; count += 1) form.append(`${essay()}_file`, picture());
    await student.postForm(address, form);
    const opened = await student.get(address);
    expect(opened.document.querySelectorAll(`input[name="${essay()}_image"]`)).toHaveLength(8);
    const more = formData(fillForm(opened, '提交作业', { [essay()]: '解' }));
    more.append(`${essay()}_camera`, picture());
    more.append(`${essay()}_file`, picture());
    more.append(`${essay()}_file`, new File(['text'], '作业.jpg', { type: 'image/jpeg' }));
    const refused = await student.postForm(address, more);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('有图片没有上传成功');
    expect(refused.document.querySelector(`#${essay()}-error`)?.textContent).toBeTruthy();
    expect(JSON.parse((await draft()).answers[0].user_answer)).toMatchObject({ content: '解' });
    expect(JSON.parse((await draft()).answers[0].user_answer).images).toHaveLength(9);
    // Removes one of the nine pictures.
    const again = await student.get(address);
    const first = again.document.querySelector(`input[name="${essay()}_image"]`)?.getAttribute('value') ?? '';
    await student.postForm(address, formData([...fillForm(again, '保存草稿', {}), [`${essay()}_drop`, first]]));
    expect(JSON.parse((await draft()).answers[0].user_answer).images).toHaveLength(8);
  });

  it('takes HEIC photographs, and names one that is damaged or too large, without losing the rest', async () => {
    const photo = (bytes: Uint8Array<ArrayBuffer>, name: string) => new File([bytes], name, { type: 'image/heic' });
    const send = async (...photos: File[]) => {
      const form = formData(fillForm(await student.get(address), '保存草稿', { [essay()]: '见照片' }));
      for (const one of photos) form.append(`${essay()}_file`, one);
      return student.postForm(address, form);
    };
    for (const [file, fault] of [
      [photo(heicPhoto().subarray(0, 300), 'IMG_1.HEIC'), '图片已损坏，无法打开'],
      [photo(new Uint8Array(40 * 1024 * 1024), 'IMG_2.HEIC'), '图片不能超过 20 MB'],
    ] as const) {
      const refused = await send(file);
      expect([refused.status, refused.document.querySelector(`#${essay()}-error`)?.textContent]).toEqual([422, fault]);
      expect(JSON.parse((await draft()).answers[0].user_answer).content).toBe('见照片');
    }
    const taken = await send(photo(heicPhoto(), 'IMG_3.HEIC'));
    expect(taken.location).toBe(address);
    const { images } = JSON.parse((await draft()).answers[0].user_answer);
    expect(images).toEqual([expect.stringMatching(/\.jpg$/)]);
  });

  it('reports an expired deadline together with the typed text', async () => {
    const opened = await student.get(address);
    school.setNow(noon + 2 * day);
    const person = await signIn();
    const late = await person.postForm(
      address,
      formData(fillForm(opened, '保存草稿', { [essay()]: '差一点就写完了' })),
    );
    expect(late.status).toBe(409);
    expect(late.html).toContain('差一点就写完了');
    await school.as('teacher').post(`hw/withdraw/${paper.homeworkId}`);
    const gone = await person.postForm(
      address,
      formData(fillForm(opened, '保存草稿', { [essay()]: '差一点就写完了，后来作业撤回了没有用了' })),
    );
    expect(gone.status).toBe(409);
    expect(gone.html).toContain('差一点就写完了，后来作业撤回了没有用了');
  });

  it('continues after a new sign-in', async () => {
    const person = await signIn();
    const opened = await person.get(address);
    await db().updateTable('learner_session').set({ ended_at: noon }).where('ended_at', 'is', null).execute();
    const text = '写了很久很久的答案，登录却在这时过期了，一个字也不应当丢失';
    const expired = await person.postForm(address, formData(fillForm(opened, '保存草稿', { [essay()]: text })));
    expect(expired.status).toBe(401);
    expect(expired.html).toContain(text);
    await db().deleteFrom('learner_code').execute();
    const asked = await person.post('/learn/sign-in', fillForm(expired, '获取验证码', { number }));
    const { content } = await db()
      .selectFrom('sms_outbox')
      .select('content')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const entered = await person.post('/learn/sign-in', withCode(asked, /\d{6}/.exec(content)?.[0] ?? ''));
    const { action, fields } = formOf(entered, '继续提交');
    expect(action).toBe(address);
    expect((await person.post(action, fields)).location).toBe(address);
    expect((await person.get(address)).html).toContain(text);
    student = await signIn();
  });

  it('returns complete when the school cannot save', async () => {
    const opened = await student.get(address);
    const text = '数据库不在的时候写的答案，一个字也不能少';
    let isAway = false;
    const failWhenAway = () => {
      if (isAway) throw new DatabaseAway('cut off by the test');
    };
    const cutting: KyselyPlugin = {
      transformQuery({ node }) {
        failWhenAway();
        return node;
      },
      async transformResult({ result }) {
        failWhenAway();
        return result;
      },
    };
    const database = { ...school.database, db: school.database.db.withPlugin(cutting) };
    const there = await openApp({ services: { ...school.services, database } });
    const person = there.visitor();
    for (const [name, value] of student.cookies) person.cookies.set(name, value);
    expect((await person.get(address)).status).toBe(200);
    isAway = true;
    const away = await person.postForm(address, formData(fillForm(opened, '保存草稿', { [essay()]: text })));
    isAway = false;
    expect([away.status, away.html.includes(text)]).toEqual([503, true]);
    const again = formOf(away, '重新提交');
    expect((await person.post(again.action || address, again.fields)).location).toBe(address);
    expect((await person.get(address)).html).toContain(text);
  });
});

describe('homework in percent', () => {
  it('shows no points of its questions', async () => {
    const homework = { creator: 'teacher' as const, classes: [school.classes.k1], ending: noon + day };
    const points = await addPaper(school, homework);
    const { homeworkId } = await addPaper(school, homework, 1);
    const heads = async (id: number) =>
      [...(await student.get(`/learn/homework/${id}`)).document.querySelectorAll('h2')].map((head) => head.textContent);
    expect((await heads(points.homeworkId)).every((head) => head?.endsWith('分）'))).toBe(true);
    const rated = await heads(homeworkId);
    expect([rated.length > 0, rated.some((head) => head?.includes('分'))]).toEqual([true, false]);
  });
});

describe('homework never handed in', () => {
  it('explains why right answers are hidden', async () => {
    const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon - day });
    const page = await student.get(`/learn/homework/${paper.homeworkId}`);
    expect(page.text).toContain('没有提交的作业不公布正确答案与解析，有疑问请联系老师。');
    expect(page.html).not.toContain('见课本');
  });
});

describe('answers and saved work of learners', () => {
  const secret = '不可提前泄露';

  it('reveal no right answer on any page before time', async () => {
    const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
    await db()
      .updateTable('homework_question')
      .set({ right_answer: secret, ques_analysis: secret })
      .where('homework_id', '=', paper.homeworkId)
      .execute();
    const exam = await addExam(db(), { creator: school.people.teacher.id, school: 1, limit: 3600 });
    await db()
      .updateTable('exam')
      .set({ published_at: noon, end_at: noon + day })
      .where('id', '=', exam.id)
      .execute();
    await db()
      .updateTable('exam_question')
      .set({ right_answer: secret, ques_analysis: secret })
      .where('exam_id', '=', exam.id)
      .where('ques_type', '!=', 7)
      .execute();
    const homework = `/learn/homework/${paper.homeworkId}`;
    const pages: Page[] = [];
    const see = async (path: string) => {
      const page = await student.get(path);
      pages.push(page);
      return page;
    };
    for (const path of ['/learn', '/learn/homework', '/learn/exams', `/learn/exams/${exam.id}`]) await see(path);
    const opened = await see(homework);
    const open = await student.postForm(
      homework,
      formData(fillForm(opened, '提交作业', { [`q${paper.questions.essay}`]: '解' })),
    );
    // Posted to its own address, so the back button sends nothing again.
    expect([open.status, open.location]).toEqual([302, `${homework}?ask=1`]);
    const last = await see(`${homework}?ask=1`);
    expect(last.document.querySelector('[role=alert]')?.textContent).toContain(
      '您还有3题未作答，确定提交？第1、3.1、3.2题没有作答',
    );
    const handedIn = await student.postForm(`${homework}?ask=1`, formData(fillForm(last, '提交作业', {})));
    expect(handedIn.location).toBe(homework);
    expect((await see(homework)).text).toContain('待批改');
    await see('/learn/homework?state=done');
    pages.push(await student.post(`/learn/exams/${exam.id}`, { intent: 'start' }));
    for (let at = 1; at <= exam.questions.length; at += 1) {
      const question = await see(`/learn/exams/${exam.id}/take?at=${at}`);
      expect([at, question.status]).toEqual([at, 200]);
    }
    await see(`/learn/exams/${exam.id}/hand-in`);
    pages.push(await student.post(`/learn/exams/${exam.id}/hand-in`, {}));
    expect((await see(`/learn/exams/${exam.id}`)).text).toContain('正确答案与解析在考试结束后公布');
    // An exam without scores has neither a full mark nor a verdict.
    expect((await see(`/learn/exams/${exam.id}`)).text).toContain('满分');
    await db().updateTable('exam').set({ score: 0 }).where('id', '=', exam.id).execute();
    const unscored = (await see(`/learn/exams/${exam.id}`)).text;
    expect([unscored.includes('满分'), unscored.includes('及格')]).toEqual([false, false]);
    expect((await see('/learn/exams')).text).not.toContain('题 · 0.0分');
    expect(pages.length).toBeGreaterThan(18);
    expect(pages.filter(({ html }) => html.includes(secret))).toEqual([]);
    await db()
      .updateTable('report')
      .set({ status: 3, graded_at: noon })
      .where('homework_id', '=', paper.homeworkId)
      .execute();
    expect((await see(homework)).text).toContain('正确答案与解析在截止后公布');
    expect((await see(homework)).html).not.toContain(secret);
    school.setNow(noon + day);
    student = await signIn();
    expect((await see(homework)).html).toContain(secret);
    expect((await see(`/learn/exams/${exam.id}`)).html).toContain(secret);
    school.setNow(noon);
  });

  it("survive page turns after another device's save", async () => {
    const exam = await addExam(db(), { creator: school.people.teacher.id, school: 1, limit: 3600 });
    await db().updateTable('exam').set({ published_at: noon }).where('id', '=', exam.id).execute();
    await student.post(`/learn/exams/${exam.id}`, { intent: 'start' });
    const ques_id = exam.questions[5] as number;
    const address = `/learn/exams/${exam.id}/take?at=6`;
    const opened = await student.get(address);
    const elsewhere = learnerClient(school, token);
    const answers = [{ ques_id, user_answer: { content: '另一台设备写的', images: [] }, serial: Date.now() }];
    expect((await elsewhere.post(`exams/${exam.id}/answers`, { uid: uid(), answers })).status).toBe(200);
    await student.postForm(address, formData([...formOf(opened, '上一题').fields, ['intent', 'go 5']]));
    expect((await student.get(address)).text).toContain('另一台设备写的');
    await student.postForm(address, formData(fillForm(opened, '保存', { [`q${ques_id}`]: '这里又写的' })));
    expect((await student.get(address)).text).toContain('这里又写的');
  });

  it("show saved and unsaved answers after an exam's time is up", async () => {
    const exam = await addExam(db(), { creator: school.people.teacher.id, school: 1, limit: 3600 });
    await db().updateTable('exam').set({ published_at: noon }).where('id', '=', exam.id).execute();
    await student.post(`/learn/exams/${exam.id}`, { intent: 'start' });
    const address = `/learn/exams/${exam.id}/take?at=6`;
    const opened = await student.get(address);
    await student.postForm(address, formData(fillForm(opened, '保存', { [`q${exam.questions[5]}`]: '按时写的' })));
    school.setNow(noon + 3601);
    const late = await student.postForm(
      address,
      formData(fillForm(opened, '保存', { [`q${exam.questions[5]}`]: '时间到了以后才写完的很长的一段答案，没有赶上' })),
    );
    const shown = await student.follow(late);
    expect(shown.html.includes('时间到了以后才写完的很长的一段答案，没有赶上') || shown.text.includes('作答时间')).toBe(
      true,
    );
    expect((await student.get(`/learn/exams/${exam.id}`)).text).not.toContain('继续作答');
  });
});
