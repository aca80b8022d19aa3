/** Each feature switch on the demo school's screens it controls. */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccounts } from '#server/demo/accounts.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import type { Services } from '#server/school/context.ts';
import { storeSetting } from '#server/school/settings.ts';
import type { Switch } from '#server/settings/contract.ts';
import { formOf, openApp, type Visitor } from '../support/app.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';

let demo: DemoSchool;
let database: OpenDatabase;
let people: Record<'teacher' | 'assist', Visitor>;
const ids = { class: 0, session: 0, team: 0, homework: 0 };

beforeAll(async () => {
  demo = await openDemoSchool('SQLite');
  const { storage, now } = demo;
  ({ database } = demo);
  const services: Services = { database, storage, now: () => now, log: pino({ level: 'silent' }), checkAnswers: false };
  const app = await openApp({ services });
  const signIn = async (username: 'teacher' | 'assist') => {
    const visitor = app.visitor();
    const password = demoAccounts.find((account) => account.username === username)?.password ?? '';
    const { fields } = formOf(await visitor.get('/login'), '登录');
    const kept = fields.filter(([name]) => name !== 'username' && name !== 'password');
    await visitor.post('/login', [...kept, ['username', username], ['password', password]]);
    return visitor;
  };
  people = { teacher: await signIn('teacher'), assist: await signIn('assist') };
  const { db } = database;
  const { id: assistId } = await db
    .selectFrom('staff')
    .select('id')
    .where('username', '=', 'assist')
    .executeTakeFirstOrThrow();
  const theClass = await db
    .selectFrom('class_staff as head')
    .innerJoin('class_staff as assistant', 'assistant.class_id', 'head.class_id')
    .innerJoin('staff', 'staff.id', 'head.staff_id')
    .innerJoin('class', 'class.id', 'head.class_id')
    .select('class.id')
    .where('head.duty', '=', 'head')
    .where('staff.username', '=', 'teacher')
    .where('assistant.duty', '=', 'assistant')
    .where('assistant.staff_id', '=', assistId)
    .where('class.class_type', '=', 0)
    .where('class.group_hidden', '=', 1)
    .executeTakeFirstOrThrow();
  const session = await db
    .selectFrom('homework')
    .innerJoin('class_session', 'class_session.id', 'homework.arrange_id')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('class_staff', 'class_staff.class_id', 'class.id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .select(['class_session.id', 'class.id as team', 'homework.id as homework'])
    .where('class.class_type', '=', 3)
    .where('class_session.cancelled_at', 'is', null)
    .where('class_staff.staff_id', '=', assistId)
    .where('staff.username', '=', 'teacher')
    .where('homework.status', '=', 1)
    .executeTakeFirstOrThrow();
  Object.assign(ids, { class: theClass.id, session: session.id, team: session.team, homework: session.homework });
});
afterAll(() => demo?.close());

/** Content shown only while on; without `shows` the page itself depends on it, or shows `off`. */
interface Place {
  who: ('teacher' | 'assist')[];
  path: () => string;
  shows?: string;
  off?: number;
}
const both: Place['who'] = ['teacher', 'assist'];
const classDetail = (tab = '') => `/classes/detail?id=${ids.class}${tab && `&tab=${tab}`}`;
const publicBank = '/homework/publish/questions?bank=public';

const places: Record<Switch, Place[]> = {
  switch_question_module: [
    { who: both, path: () => '/homework/publish', shows: '从公共题库选择' },
    { who: both, path: () => publicBank, off: 403 },
  ],
  class_homework_module: [
    { who: both, path: () => `/sessions/class?id=${ids.session}`, shows: '作业列表' },
    { who: ['assist'], path: () => `/curriculum/detail?id=${ids.team}&tab=3`, shows: '作业名称' },
  ],
  community_module: [
    { who: both, path: () => '/homework', shows: '社区' },
    { who: both, path: () => '/community', off: 404 },
    { who: both, path: () => classDetail(), shows: '班级圈子' },
    { who: both, path: () => classDetail('circle'), off: 404 },
  ],
  class_circle: [
    { who: both, path: () => classDetail(), shows: '班级圈子' },
    { who: both, path: () => classDetail('circle'), off: 404 },
  ],
  show_grade: [
    { who: both, path: () => '/classes', shows: '年级' },
    { who: ['assist'], path: () => '/curriculum', shows: '年级' },
    { who: both, path: () => `/sessions/class?id=${ids.session}`, shows: '年级' },
    { who: both, path: () => `/homework/detail?hw_id=${ids.homework}&from=arrange`, shows: '年级' },
  ],
  show_classify: [
    { who: both, path: () => '/classes', shows: '分类' },
    { who: ['assist'], path: () => '/curriculum', shows: '分类' },
    { who: both, path: () => `/sessions/class?id=${ids.session}`, shows: '分类' },
    { who: both, path: () => `/homework/detail?hw_id=${ids.homework}&from=arrange`, shows: '分类' },
  ],
  learn_page: [{ who: both, path: () => '/learn/sign-in', off: 404 }],
};

describe.each(Object.entries(places) as [Switch, Place[]][])('%s', (name, deciding) => {
  it('controls its screens for their users', async () => {
    const labelsSeen = async (who: 'teacher' | 'assist', place: Place) => {
      const page = await people[who].get(place.path());
      const labels = [...page.document.querySelectorAll('a, th, dt, label, legend, button, span')].map((one) =>
        (one.textContent ?? '').trim(),
      );
      return { status: page.status, isShown: place.shows === undefined || labels.includes(place.shows) };
    };
    for (const place of deciding) {
      for (const who of place.who)
        expect(await labelsSeen(who, place), `${who} ${place.path()}`).toEqual({ status: 200, isShown: true });
    }
    await storeSetting(database.db, name, '0');
    try {
      for (const place of deciding) {
        for (const who of place.who) {
          const { status, isShown } = await labelsSeen(who, place);
          const about = `${who} ${place.path()}`;
          expect(status, about).toBe(place.off ?? 200);
          if (place.shows) expect(isShown, about).toBe(false);
        }
      }
    } finally {
      await storeSetting(database.db, name, '1');
    }
  });
});
