// rune #499, open-mercato #1947: another tab signs somebody else in, and a form is saved in their name.

import { describe, expect } from 'vitest';
import { hashPassword } from '#server/platform/auth/password.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { storeSetting } from '#server/school/settings.ts';
import { othersFormMessage, ownerHeaders } from '../../app/lib/form-owner.ts';
import { expiredVisitor, formOf, type Page, signedSession, type Visitor } from '../support/app.ts';
import { panel } from '../support/grade-panel.ts';
import { addPaper, submitHomeworkReport } from '../support/paper.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const told = '此内容由姓名teacher填写，当前登录的是姓名assist，未提交。请由姓名teacher登录后继续提交';
const comment = '这一段评语写了很久，换了人登录也不应当丢失，一个字都不能少';

async function report(school: TestSchool, place = 0) {
  const homework = { creator: 'teacher' as const, classes: [school.classes.k2], period: school.periods.mine };
  const paper = await addPaper(school, { ...homework, ending: noon + day });
  const id = await submitHomeworkReport(school, paper, school.students.k2[place] as number, {}, noon - 100);
  return { id, paper, at: `/homework/approve?report_id=${id}&class_id=0` };
}

/** Signs another person in, as from another tab of the visitor’s browser. */
async function browserOf(school: TestSchool, visitor: Visitor, person: 'teacher' | 'assist') {
  const { token, identity } = school.people[person];
  visitor.cookies.set('session', await signedSession({ token, identity }));
}

const marks = (school: TestSchool, id: number) =>
  school.database.db
    .selectFrom('answer')
    .select(['score', 'reviewed_by', 'review_comment'])
    .where('report_id', '=', id)
    .where('version', '>', 0)
    .execute();

const resumedBody = (page: Page) => page.document.querySelector('[name=resume_body]')?.getAttribute('value') ?? '';

describe('a form filled in by somebody who is no longer signed in', () => {
  it('is refused on the grading desk, kept, and resumed once its author signs in', async ({ school, app, assist }) => {
    const { id, at } = await report(school);
    const browser = app.visitor();
    await browserOf(school, browser, 'teacher');
    const fields = panel(await browser.get(at), 'save', { user_score: '6', review_comment: comment });
    const refused = await assist.post(at, fields);
    expect([refused.status, refused.text.includes(told), refused.html.includes(comment)]).toEqual([409, true, true]);
    expect(await marks(school, id)).toEqual([]);

    const { db } = school.database;
    const password_hash = await hashPassword('Teach2026');
    await db.updateTable('staff').set({ password_hash }).where('username', '=', 'teacher').execute();
    const signIn = formOf(refused, '登录').fields.filter(([name]) => name !== 'username' && name !== 'password');
    const again = await assist.post('/login', [...signIn, ['username', 'teacher'], ['password', 'Teach2026']]);
    expect(again.text).toContain('teacher之前提交的内容已保留，请继续提交');
    const sent = await assist.post(at, formOf(again, '继续提交').fields);
    expect(sent.status).toBe(302);
    expect(await marks(school, id)).toEqual([
      { score: 60, reviewed_by: school.people.teacher.id, review_comment: comment },
    ]);
    await browserOf(school, assist, 'assist');
  });

  it('is refused when it carries a file', async ({ school, teacher, assist }) => {
    const { id, at } = await report(school, 1);
    const form = new FormData();
    const fields = panel(await teacher.get(at), 'attach', { user_score: '6', review_comment: comment });
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new File(['讲评'], '讲评.txt', { type: 'text/plain' }));
    const refused = await assist.postForm(at, form);
    expect([refused.status, refused.text.includes(told), refused.html.includes(comment)]).toEqual([409, true, true]);
    expect(await marks(school, id)).toEqual([]);
  });

  it('is refused when the desk’s script sends it', async ({ school, app, teacher, assist }) => {
    const { id, paper } = await report(school, 2);
    const mark = { kind: 'mark', report_id: id, ques_id: paper.questions.essay, version: 0, type: 2, user_score: '6' };
    const send = async (visitor: Visitor) => {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const { id: person } = school.people.teacher;
      const response = await app.fetch(
        new Request('http://school.test/homework/approve/save', {
          method: 'POST',
          headers: {
            host: 'school.test',
            origin: 'http://school.test',
            cookie,
            'content-type': 'application/json',
            ...ownerHeaders({ id: person, name: '姓名teacher' }),
          },
          body: JSON.stringify(mark),
        }),
      );
      return { status: response.status, ...((await response.json()) as { msg: string; owner?: string }) };
    };
    expect(await send(assist)).toEqual({
      status: 409,
      msg: told,
      owner: '姓名teacher',
      person: '姓名assist',
    });
    expect(await marks(school, id)).toEqual([]);
    expect((await send(teacher)).status).toBe(200);
  });

  it('is attributed to another person of the same name', () => {
    expect(othersFormMessage({ id: 1, name: '王子涵' }, { id: 2, name: '王子涵' })).toBe(
      '此内容由另一位王子涵填写，与当前登录的不是同一人，未提交。请由填写的人登录后继续提交',
    );
  });

  it('is refused on a screen that keeps no draft', async ({ teacher, assist }) => {
    const { action, fields } = formOf(await teacher.get('/account'), '保存');
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    expect((await assist.postForm(action || '/account', form)).text).toContain(told);
    const { fields: question } = formOf(await teacher.get('/homework/publish'), '提交');
    const refused = await assist.post('/homework/publish', question);
    expect([refused.status, refused.text.includes(told)]).toEqual([409, true]);
  });

  it('names its author to somebody else who signs in after it expired', async ({ school, app, teacher, assist }) => {
    const { at, id } = await report(school, 3);
    const fields = panel(await teacher.get(at), 'save', { user_score: '6', review_comment: comment });
    const expired = await expiredVisitor(app);
    const kept = [...new URLSearchParams(resumedBody(await expired.post(at, fields)))];
    const { db } = school.database;
    const password_hash = await hashPassword('Assist2026');
    await db.updateTable('staff').set({ password_hash }).where('username', '=', 'assist').execute();
    const offered = await expired.post('/login', [
      ['username', 'assist'],
      ['password', 'Assist2026'],
      ['resume', at],
      ['resume_body', new URLSearchParams(kept).toString()],
    ]);
    expect(offered.text).toContain('teacher之前提交的内容');
    const refused = await assist.post(at, formOf(offered, '继续提交').fields);
    expect([refused.status, refused.text.includes(told), refused.html.includes(comment)]).toEqual([409, true, true]);
    expect(await marks(school, id)).toEqual([]);
  });

  it('names its author on every screen that posts', async ({ school, teacher, assist, admin }) => {
    const owner = (name: 'teacher' | 'assist' | 'admin') => `${school.people[name].id} 姓名${name}`;
    for (const [visitor, name, paths] of [
      [teacher, 'teacher', ['/', '/homework', '/homework/publish', '/account', '/leave']],
      [assist, 'assist', ['/', '/homework', '/homework/publish', '/account', '/leave']],
      [admin, 'admin', ['/admin', '/admin/students/add', '/account']],
    ] as const) {
      for (const path of paths) {
        const { document } = await visitor.follow(await visitor.get(path));
        const posts = [...document.querySelectorAll('form[method=post]')];
        expect(posts.length).toBeGreaterThan(0);
        for (const form of posts) {
          expect(form.querySelector('[name=form_of]')?.getAttribute('value'), path).toBe(owner(name));
        }
      }
    }
  });

  it('is refused to another learner', async ({ school, app }) => {
    const { db } = school.database;
    const { token } = await issueServiceToken(db, { name: '学员端', now: noon });
    process.env.LEARN_TOKEN = token;
    // Sign-in codes need a configured sender.
    await storeSetting(db, 'sms_webhook_url', 'https://sms.example/');
    try {
      const [one, other] = [await learner(school, app.visitor(), 0), await learner(school, app.visitor(), 1)];
      const { fields } = formOf(await one.get('/learn/leave'), '退出');
      const form = fields.filter(([name]) => name === 'form_of');
      expect(form).toHaveLength(1);
      const refused = await other.post('/learn/leave', [...form, ['intent', 'cancel 1']]);
      expect([refused.status, refused.text.includes('登录后继续提交')]).toEqual([409, true]);
      expect((await one.post('/learn/leave', [...form, ['intent', 'cancel 1']])).status).not.toBe(409);
    } finally {
      delete process.env.LEARN_TOKEN;
    }
  });
});

async function learner(school: TestSchool, visitor: Visitor, place: number): Promise<Visitor> {
  const { db } = school.database;
  const number = `2026001${place}`;
  const id = school.students.k1[place] as number;
  await db
    .updateTable('student')
    .set({ number, mobile: `1370000123${place}` })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('learner_code').execute();
  const asked = await visitor.post('/learn/sign-in', [
    ['number', number],
    ['intent', 'send'],
  ]);
  const sms = db.selectFrom('sms_outbox').select('content').orderBy('id', 'desc');
  const code = /\d{6}/.exec((await sms.executeTakeFirstOrThrow()).content)?.[0] ?? '';
  const fields = formOf(asked, '登录').fields.map(([name, value]): [string, string] => [
    name,
    name === 'code' ? code : value,
  ]);
  await visitor.post('/learn/sign-in', fields);
  return visitor;
}
