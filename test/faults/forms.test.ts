import type { KyselyPlugin } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examImport } from '#app/exams/screens.ts';
import { badRequestMessage } from '#app/lib/address.ts';
import { questionImport } from '#app/questions/screens.ts';
import { handout } from '#app/sessions/screens.ts';
import { createApi } from '#server/api.ts';
import { type Identity, identities } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { DatabaseAway } from '#server/platform/db/deadline.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import type { Services } from '#server/school/context.ts';
import { emptyForm } from '../../app/homework/publish/form.ts';
import { formOf, openApp, type Page, signedSession, typedText, type Visitor } from '../support/app.ts';
import { builtRoutes } from '../support/built-routes.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';
import { findIds, type Ids } from '../support/record-ids.ts';
import { screenAddresses } from '../support/screen-addresses.ts';

const sentence = '服务暂时不可用，请稍后再试';

let demo: DemoSchool;
let nowhere: OpenDatabase;
let services: Services;
let open: Awaited<ReturnType<typeof openApp>>;
let routes: Awaited<ReturnType<typeof builtRoutes>>;

/** Database state: up, down, or failing from the first write on. */
let state: 'there' | 'leaving' | 'away' = 'there';
const writes = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);
const leaving: KyselyPlugin = {
  transformQuery({ node }) {
    if (state === 'leaving' && writes.has(node.kind)) state = 'away';
    if (state === 'away') throw new DatabaseAway('cut off by the test');
    return node;
  },
  /** A prepared statement fails on its own. */
  async transformResult({ result }) {
    if (state === 'away') throw new DatabaseAway('cut off by the test');
    return result;
  },
};

beforeAll(async () => {
  demo = await openDemoSchool('SQLite');
  const { database: real, storage } = demo;
  const there = real.db.withPlugin(leaving);
  nowhere = openDatabase('postgresql://nobody@127.0.0.1:1/nothing');
  const database: OpenDatabase = {
    ...real,
    get db() {
      return state === 'away' ? nowhere.db : there;
    },
  };
  services = { database, storage, now: () => demo.now, log: pino({ level: 'silent' }), checkAnswers: false };
  open = await openApp({ services });
  routes = await builtRoutes();
});
afterAll(async () => {
  await Promise.all([demo?.close(), nowhere?.destroy()]);
});

/** A form with one of its buttons as sent. */
interface Post {
  /** Route that handles it. */
  route: string;
  button: string;
  identity: Identity;
  address: string;
  fields: [string, string][];
  /** Names of file fields. */
  fileFields: string[];
  isMultipart: boolean;
  typed: [string, string][];
}

const routeOf = (address: string): string | undefined => routes.idsAt(address).at(-1);

/** Value typed into a field; undefined if prefilled or not typeable. */
function writtenInto(control: Element): string | undefined {
  const name = control.getAttribute('name') ?? '';
  const type = control.getAttribute('type') ?? 'text';
  if (control.tagName === 'TEXTAREA') return `写给${name}的一段很长很长的话，写了很久，不应当丢失`;
  if (control.tagName !== 'INPUT') return undefined;
  if (type === 'datetime-local') return '2098-01-02T03:04';
  if (type === 'date') return '2098-01-02';
  if (type === 'number' || control.getAttribute('inputmode')) return undefined;
  return type === 'text' ? `写给${name}` : undefined;
}

/** Attribute as React or as HTML writes it. */
const encodingOf = (element: Element, name: string) =>
  element.getAttribute(name) ?? element.getAttribute(name.toLowerCase());

/** A page's posts: each form with each button. */
function postsOf(page: Page, identity: Identity, here: string): Post[] {
  // Content behind a dialog is unreachable.
  const shown = page.document.querySelector('dialog') ?? page.document;
  return [...shown.querySelectorAll('form')].flatMap((form): Post[] => {
    if (form.getAttribute('method') !== 'post') return [];
    const id = form.getAttribute('id');
    const outside = id ? [...page.document.querySelectorAll(`[form="${id}"]`)] : [];
    const fields: [string, string][] = [];
    const typed: [string, string][] = [];
    const fileFields: string[] = [];
    for (const control of [...form.querySelectorAll('input, select, textarea'), ...outside]) {
      const name = control.getAttribute('name');
      if (!name || control.tagName === 'BUTTON' || control.hasAttribute('disabled')) continue;
      const type = control.getAttribute('type');
      const written = writtenInto(control);
      if (type === 'file') fileFields.push(name);
      else if (written !== undefined) {
        fields.push([name, written]);
        typed.push([name, written]);
      } else if (type === 'checkbox' || type === 'radio') {
        // Ticks the first checkbox; of radio buttons it takes the last.
        const value = control.getAttribute('value') ?? 'on';
        const at = fields.findIndex(([taken]) => taken === name);
        if (at < 0) fields.push([name, value]);
        else if (type === 'radio') fields[at] = [name, value];
      } else if (control.tagName === 'SELECT') {
        const options = [...control.querySelectorAll('option')];
        fields.push([name, options.at(-1)?.getAttribute('value') ?? '']);
      } else {
        fields.push([
          name,
          control.tagName === 'TEXTAREA' ? typedText(control) : (control.getAttribute('value') ?? ''),
        ]);
      }
    }
    const buttons = [...form.querySelectorAll('button'), ...outside].filter(
      (one) => one.tagName === 'BUTTON' && (one.getAttribute('type') ?? 'submit') === 'submit',
    );
    return buttons.flatMap((button): Post[] => {
      const address = new URL(
        button.getAttribute('formaction') || form.getAttribute('action') || here,
        `http://school.test${here}`,
      );
      const route = routeOf(address.href);
      if (!route) return [];
      const [name, value] = [button.getAttribute('name'), button.getAttribute('value') ?? ''];
      const encoding = encodingOf(button, 'formEncType') ?? encodingOf(form, 'encType');
      return [
        {
          route,
          identity,
          typed,
          fileFields,
          button: name ? `${name}=${value.split(/[^a-z-]/)[0]}` : (button.textContent ?? '').trim(),
          address: address.pathname + address.search,
          fields: name ? [...fields, [name, value]] : fields,
          isMultipart: encoding === 'multipart/form-data',
        },
      ];
    });
  });
}

const signIn = async (identity: Identity) => {
  const { id } = await demo.database.db
    .selectFrom('staff')
    .select('id')
    .where('username', '=', identity)
    .executeTakeFirstOrThrow();
  const token = await issueToken(demo.database.db, id, { device: 'test', address: '127.0.0.1', now: demo.now });
  const visitor = open.visitor();
  visitor.cookies.set('session', await signedSession({ token, identity }));
  return { token, visitor };
};

/** Forms the demo school shows to nobody now, because of time or state. */
type Fields = Record<string, string>;

const long = '写了很久而不应当丢失的一段长长的文字内容';

/** Screens with hidden forms, and posts to their address. */
function screensWithForms(ids: Ids): [address: string, fields?: Fields][] {
  const { own, lesson, oneToOne, post, group, ware, member } = ids;
  const inClass = `id=${ids.class}`;
  const ofHomework = `hw_id=${ids.homework}&class_id=0`;
  const remark = { remark: long };
  return [
    ...screenAddresses(ids).map((address): [string] => [address]),
    ['/', { intent: 'start 1' }],
    ['/homework?tab=main', { intent: 'start 1 1' }],
    [`/homework/detail?hw_id=${ids.homework}&class_id=0&tab=2`],
    ...['recall', 'deadline', 'continue'].map((dialog): [string, Fields] => [`/homework/${own}/${dialog}`, {}]),
    ...['detail', 'classes'].flatMap((over) =>
      ['deadline', 'continue'].map((dialog): [string, Fields] => [
        `${over === 'detail' ? '/homework/detail' : '/classes/homework'}/${own}/${dialog}?hw_id=${own}`,
        { ending_time: '2098-01-02T03:04', class_ids: '12345' },
      ]),
    ),
    ...['/homework/detail', '/classes/homework'].flatMap((place): [string, Fields][] => [
      [`${place}/remind?hw_id=${own}&class_id=0`, {}],
      [`${place}/question?${ofHomework}&tab=1&ques_id=${ids.question}&group=right`, { intent: 'export' }],
      [`${place}/students?${ofHomework}&tab=3&band=60`, { intent: 'export' }],
    ]),
    [`/homework/answers/students?${ofHomework}&ques_id=${ids.question}&group=right`, { intent: 'export' }],
    ['/exams', { intent: 'start 1' }],
    [`/homework/question/similar/merge?kept=${ids.bankQuestion}&gone=${ids.bankQuestion}`, {}],
    ['/homework/question/similar', { intent: 'differ 1 2' }],
    ['/homework/publish/rule', { chosen: String(ids.bankQuestion) }],
    [`/admin/exams/paper/rule?id=${ids.examDraft}&section=${ids.draftSection}`, { chosen: String(ids.bankQuestion) }],
    [`/homework/question/record?id=${ids.bankQuestion}`, { intent: 'undo 1' }],
    [`/homework/questions/tags?ids=${ids.bankQuestion}`, { add: long }],
    [`/homework/questions/delete?ids=${ids.bankQuestion}`, {}],
    [`/homework/question?id=${ids.publicQuestion}`, {}],
    ['/homework/question/add'],
    ['/homework/question/import'],
    ['/homework/question/import?id=1', { intent: 'all' }],
    ['/homework/question/import?id=1', { intent: 'drop' }],
    ['/homework/question/import?id=1', { intent: 'save', row: '1', version: '1', answer: long }],
    ['/homework/question/import', { intent: 'paste', text: long }],
    ['/homework/question/import/edit?id=1&row=1', { ques_type: '5', ques_stem: long }],
    ['/homework/question/import/columns?id=1', { 'title_row.0': '1', 'columns.0.0': 'stem' }],
    ['/homework/publish/history', { pick: '12345' }],
    ['/homework/publish/questions', { pick: '12345' }],
    ['/homework/approve/finish?report_id=1', { comment: long }],
    ['/homework/approve/comments?report_id=1', { q: long }],
    ['/homework/approve/finish-all?report_id=1&ques_id=1&by=question', {}],
    ['/login', { username: '写给用户名', password: 'Teach2026' }],
    ['/exams/preview/download?id=1', { intent: 'paper' }],
    ['/exams/approve/finish?report_id=1', { comment: long }],
    ['/exams/approve/finish-all?report_id=1&ques_id=1&by=question', {}],
    ['/exams/approve/same?report_id=1&ques_id=1', { comment: long }],
    [`/exams/detail?id=${ids.exam}&tab=student`],
    [
      `/exams/detail/question?id=${ids.exam}&tab=question&question_id=${ids.examAnswered}&group=wrong`,
      { intent: 'export' },
    ],
    ...['profile', 'security', 'devices'].map((tab): [string, Fields?] => [
      `/account?tab=${tab}`,
      tab === 'devices' ? { intent: 'sign-out others' } : undefined,
    ]),
    ['/account?tab=security', { intent: 'unlink oidc' }],
    ['/admin/staff/add'],
    ...['disable', 'enable', 'password', 'sign-out', 'second-factor'].map((dialog): [string, Fields] => [
      `/admin/staff/detail/${dialog}?id=${ids.staff ?? 1}`,
      {},
    ]),
    ['/admin/staff/passwords', { pick: '12345' }],
    ['/admin/students/passwords?student_id=1', { pick: '12345' }],
    ...['sign-in', 'keeping', 'messages', 'live'].map((tab): [string] => [`/admin/settings?tab=${tab}`]),
    ['/admin/tokens/add'],
    [
      `/admin/tokens/webhook?token=${ids.token ?? 1}`,
      { url: `https://${'a'.repeat(100)}.test/`, events: 'report.graded' },
    ],
    [`/admin/tokens/end?token=${ids.token ?? 1}`, {}],
    ['/admin/identity'],
    ['/admin/identity/provider?kind=oidc'],
    [`/admin/staff/identities/approve?link=${ids.identityLink ?? 1}`],
    [`/admin/staff/identities/reject?link=${ids.identityLink ?? 1}`, {}],
    [`/admin/staff/identities/remove?link=${ids.identityLink ?? 1}`, {}],
    [`/admin/staff/identities/add?link=${ids.identityLink ?? 1}`],
    [`/admin/students/identities/approve?link=${ids.learnerLink ?? 1}`],
    [`/admin/students/identities/reject?link=${ids.learnerLink ?? 1}`, {}],
    [`/admin/students/identities/remove?link=${ids.learnerLink ?? 1}`, {}],
    ['/admin/roster-clients/add'],
    [`/admin/roster-clients/end?client=${ids.rosterClient ?? 1}`, {}],
    ['/admin', { intent: 'away backup' }],
    ['/admin/holidays'],
    ['/admin/holidays/national?year=2027'],
    ['/admin/backups', {}],
    ['/admin/jobs', { intent: 'retry keeping' }],
    [`/admin/holidays/edit?day=${ids.holiday ?? 1}`],
    [`/admin/holidays/remove?day=${ids.holiday ?? 1}`, {}],
    ['/admin/waiting/handouts', { intent: 'undo 12345' }],
    ['/admin/waiting/handouts/decide?ids=1&status=4', { reason: long }],
    ['/admin/waiting/posts/detail?id=1', { intent: 'undo' }],
    ['/admin/waiting/posts/detail/comment/1?id=1', {}],
    ['/admin/waiting/questions/detail?id=1', { intent: 'undo' }],
    ['/admin/waiting/questions/detail/answer?id=1', { reply: long }],
    [`/admin/waiting/questions/edit?id=${ids.correction ?? 1}`, { intent: 'save', ques_stem: long }],
    [`/admin/questions/detail/share?id=${ids.bankQuestionOfSchool ?? 1}&chosen=${ids.bankQuestionOfSchool ?? 1}`, {}],
    [`/admin/questions/detail/move?id=${ids.bankQuestionOfSchool ?? 1}&chosen=${ids.bankQuestionOfSchool ?? 1}`, {}],
    ['/admin/history', { intent: 'export' }],
    ['/account/second-factor'],
    ['/login/code', { code: '123456' }],
    ['/admin/students/add'],
    ...['disable', 'enable', 'delete', 'erase'].map((dialog): [string, Fields] => [
      `/admin/students/detail/${dialog}?id=${ids.student ?? 1}`,
      {},
    ]),
    ['/admin/students/pick', { pick: '12345' }],
    [`/admin/students/class/join?id=${ids.memberClass ?? 1}&ids=${ids.student ?? 1}`, { acknowledged: '' }],
    [`/admin/students/class/leave?id=${ids.memberClass ?? 1}&ids=${ids.placed ?? 1}`, { reason: '写给原因' }],
    ['/admin/import'],
    ['/admin/import/upload', { source: '写给来源' }],
    ['/admin/import/mapping?id=1', { kind: 'student', mode: 'delta', 'column-0': '姓名' }],
    ['/admin/import/timetable', { intent: 'check' }],
    ['/admin/import/roll-over'],
    ['/admin/import/detail?id=1', { intent: 'check' }],
    ...['apply', 'undo', 'discard', 'choices', 'rows/1'].map((dialog): [string, Fields] => [
      `/admin/import/detail/${dialog}?id=1`,
      {},
    ]),
    ['/admin/schools/add'],
    ...['edit', 'put-away', 'restore', 'delete'].flatMap((dialog): [string, Fields][] => [
      [`/admin/schools/${ids.school ?? 1}/${dialog}`, {}],
      [`/admin/catalogue/${ids.entry ?? 1}/${dialog}`, {}],
    ]),
    ['/admin/catalogue', { intent: 'up 12345' }],
    ['/admin/catalogue/add'],
    ['/admin/circles/add'],
    [`/admin/circles/detail?id=${ids.circle ?? 1}`, { intent: 'remove student 12345' }],
    ...['edit', 'put-away', 'restore', 'class', 'people'].map((dialog): [string, Fields] => [
      `/admin/circles/detail/${dialog}?id=${ids.circle ?? 1}`,
      {},
    ]),
    ['/admin/points', { intent: 'up 12345' }],
    ['/admin/points/add'],
    ['/admin/points/many'],
    [`/admin/points/${ids.point ?? 1}/edit`],
    [`/admin/points/${ids.point ?? 1}/delete`, {}],
    [`/admin/points/move?id=${ids.point ?? 1}`, { intent: 'top' }],
    [`/admin/points/merge?id=${ids.point ?? 1}`, { intent: 'into 12345' }],
    [`/admin/catalogue/${ids.entry ?? 1}/merge?kind=grades`],
    [`/admin/courses/detail/cover?id=${ids.taught ?? 1}`, {}],
    ['/admin/courses/add'],
    ...['put-away', 'restore', 'delete', 'chapter'].map((dialog): [string, Fields] => [
      `/admin/courses/detail/${dialog}?id=${ids.taught ?? 1}`,
      { title: '写给章节' },
    ]),
    [`/admin/courses/detail?id=${ids.taught ?? 1}`, { intent: 'up 12345' }],
    ...['rename', 'delete'].map((dialog): [string, Fields] => [
      `/admin/courses/detail/chapters/${ids.taughtChapter ?? 1}/${dialog}?id=${ids.taught ?? 1}`,
      {},
    ]),
    ...['move', 'delete'].map((dialog): [string, Fields] => [
      `/admin/courses/detail/periods/${ids.taughtPeriod ?? 1}/${dialog}?id=${ids.taught ?? 1}`,
      {},
    ]),
    [`/admin/courses/edit?id=${ids.taught ?? 1}`],
    [`/admin/courses/copy?id=${ids.taught ?? 1}`, { title: '写给副本', intent: 'preview' }],
    [`/admin/courses/periods/add?course_id=${ids.taught ?? 1}`],
    [`/admin/courses/periods/series?course_id=${ids.taught ?? 1}`, { titles: '写给课时', intent: 'preview' }],
    [`/admin/courses/periods/edit?id=${ids.taughtPeriod ?? 1}`],
    ['/admin/classes/add'],
    [`/admin/classes/edit?id=${ids.adminClass ?? 1}`],
    ...['staff', 'courses'].map((tab): [string, Fields] => [
      `/admin/classes/detail?id=${ids.adminClass ?? 1}&tab=${tab}`,
      { intent: tab },
    ]),
    [`/admin/classes/detail?id=${ids.grouped ?? 1}&tab=groups`, { intent: 'place' }],
    ...['end', 'reopen', 'remove'].map((dialog): [string, Fields] => [
      `/admin/classes/detail/${dialog}?id=${ids.adminClass ?? 1}`,
      {},
    ]),
    [`/admin/classes/detail/groups/add?id=${ids.adminClass ?? 1}&tab=groups`],
    [`/admin/classes/detail/groups/${ids.classGroup ?? 1}/edit?id=${ids.grouped ?? 1}&tab=groups`],
    [`/admin/classes/detail/groups/${ids.classGroup ?? 1}/remove?id=${ids.grouped ?? 1}&tab=groups`, {}],
    [`/admin/classes/detail/contracts/${ids.contract ?? 1}?id=${ids.lessonClass ?? 1}&tab=contracts`],
    ['/admin/classes/large/add'],
    [`/admin/classes/large/${ids.largeClass ?? 1}/edit`],
    ['/admin/group-classes/add'],
    [`/admin/group-classes/edit?id=${ids.lessonClass ?? 1}`],
    [`/admin/lessons/add?class_id=${ids.lessonClass ?? 1}`, { intent: 'preview', chapter_title: '写给课题' }],
    [`/admin/lessons/edit?id=${ids.adminLesson ?? 1}`],
    ...['cancel', 'move', 'restore'].map((deed): [string, Fields] => [
      `/admin/lessons/${deed}?pick=${ids.adminLesson ?? 1}`,
      {},
    ]),
    ['/admin/exams/add'],
    [`/admin/exams/edit?id=${ids.adminExam}`],
    [`/admin/exams/paper?id=${ids.adminExam}`, { intent: 'save' }],
    ...['publish', 'extend', 'close', 'withdraw', 'delete'].map((dialog): [string, Fields] => [
      `/admin/exams/detail/${dialog}?id=${ids.adminExam}`,
      dialog === 'extend' ? { end_at: '2098-01-02T03:04' } : {},
    ]),
    [`/admin/exams/paper/section?id=${ids.adminExam}`, { name: '写给部分', introduce: long }],
    [`/admin/exams/paper/1/edit?id=${ids.adminExam}`, { name: '写给部分', introduce: long }],
    [`/admin/exams/paper/1/delete?id=${ids.adminExam}`, {}],
    [`/admin/exams/paper/question/1?id=${ids.adminExam}`, {}],
    [`/admin/exams/paper/questions?id=${ids.adminExam}&section=1`, { pick: '12345' }],
    [`/admin/exams/question/add?id=${ids.adminExam}&section=1`, { ques_type: '5', ques_stem: long }],
    [`/admin/exams/question/edit?id=${ids.adminExam}&question=1`, { ques_type: '5', ques_stem: long }],
    [`/admin/exams/import?id=${ids.adminExam}&section=1&file=1`, { intent: 'all' }],
    [`/admin/exams/import/edit?id=${ids.adminExam}&section=1&file=1&row=1`, { ques_type: '5', ques_stem: long }],
    [`/admin/exams/import/columns?id=${ids.adminExam}&section=1&file=1`, { 'title_row.0': '1', 'columns.0.0': 'stem' }],
    ['/setup/none', { school_name: '写给学校', real_name: '写给姓名', username: '写给用户名' }],
    ['/calendar/subscribe'],
    [`/classes/${ids.class}/schedule`, {}],
    ...(['study', 'leave', 'circle'] as const).map((tab): [string, Fields] => [
      `/classes/detail?${inClass}&tab=${tab}`,
      { study: { intent: 'export' }, leave: { intent: 'undo 12345' }, circle: {} }[tab],
    ]),
    [`/classes/detail/subscribe?${inClass}&tab=calendar`],
    [`/classes/detail/delete-posts?${inClass}&tab=circle&post=${post}`, {}],
    [`/classes/detail/notice/${ids.notice}/delete?${inClass}&tab=notice`, {}],
    [`/classes/detail/meeting/${ids.meeting}/delete?${inClass}&tab=meeting`, {}],
    ['/leave', { intent: 'undo 12345' }],
    ['/leave/leave/decide?op_status=2&ids=1', { ids: '12345', op_status: '2' }],
    [`/classes/detail/leave/decide?${inClass}&tab=leave&op_status=2&ids=1`, { ids: '12345', op_status: '2' }],
    [`/classes/detail/wares/add?${inClass}&tab=courseware&key=k&class_id=${ids.class}`],
    [`/classes/detail/wares/${ids.classWare}/edit?${inClass}&tab=courseware&key=k&class_id=${ids.class}`],
    [`/classes/detail/wares/${ids.classWare}/remove?${inClass}&tab=courseware`, {}],
    [`/classes/detail/wares/choose?${inClass}&tab=courseware`, { pick: '12345' }],
    [`/classes/notice?class_id=${ids.class}`, { title: '写给标题', content: long }],
    [
      `/classes/meeting?class_id=${ids.class}`,
      { meeting_name: '写给班会', start_time: '2098-01-02T03:04', end_time: '2098-01-02T04:04' },
    ],
    [`/classes/student?id=${member}&uid=${member}&class_id=${ids.class}`, { intent: 'export' }],
    [
      `/classes/student/periods/mark?id=${member}&course_id=${ids.attended}&period_id=${ids.period}&action=request`,
      { leave_cause: long },
    ],
    [`/classes/roll-call?period_id=${ids.period}&class_id=${ids.attendedClass}`, { intent: 'save' }],
    [`/sessions/roll-call?id=${lesson}`],
    [
      `/classes/attendance?id=${ids.attended}&course_id=${ids.attended}&class_id=${ids.attendedClass}`,
      { intent: 'export' },
    ],
    [
      `/classes/attendance/lesson?course_id=${ids.attended}&class_id=${ids.attendedClass}&period_id=${ids.period}`,
      { intent: 'undo 12345' },
    ],
    [
      `/classes/attendance/lesson/mark?course_id=${ids.attended}&class_id=${ids.attendedClass}&period_id=${ids.period}&uid=${member}&action=request`,
      { reason: long, ...remark },
    ],
    ['/community?tab=2', { intent: 'uncollect 12345' }],
    [`/community/show/${post}`],
    [`/community/show/${post}/report`, { type: '1', content: long }],
    [`/community/detail?id=${post}`],
    [`/community/detail/report?id=${post}`, { type: '1', content: long }],
    [`/community/group/${group}`],
    [`/community/group/${group}/leave`, {}],
    [`/community/group/${group}/delete-posts?post=${post}`, {}],
    [`/community/delete-posts?post=${post}`, {}],
    [`/community/show/${post}/delete-posts?post=${post}`, {}],
    [`/community/detail/delete-posts?id=${post}&post=${post}`, {}],
    ['/courseware/upload?key=k'],
    [`/courseware/${ware}/edit`, { ware_name: '写给名称', ware_desc: long }],
    [`/courseware/${ware}/remove`, {}],
    [`/courseware/lesson/upload?times_id=${lesson}&times_type=3&key=k`],
    [`/courseware/lesson/${ware}/remove?times_id=${lesson}&times_type=3`, {}],
    [`/courseware/choose?times_id=${lesson}&times_type=3`, { pick: '12345' }],
    [`/sessions/${lesson}/leave`, {}],
    [`/sessions/communication?id=${lesson}`, { user_id: '1', content: long }],
    ...[`/sessions/class`, `/sessions/one-to-one`].flatMap((screen): [string, Fields?][] => {
      const id = screen === '/sessions/class' ? lesson : oneToOne;
      return [
        [`${screen}/leave?id=${id}`, {}],
        [`${screen}/handout?id=${id}&key=k`, {}],
        [`${screen}/evaluate/${ids.lessonStudent || 1}?id=${id}`, remark],
        [`${screen}/attendance?id=${id}&student=${ids.lessonStudent || 1}&type=1`, remark],
      ];
    }),
    ...(ids.team
      ? ([
          // Undoes an assistant's latest marks on the students' pages.
          [`/sessions/class?id=${lesson}`, { intent: 'undo 1' }],
          [`/sessions/one-to-one?id=${oneToOne}`, { intent: 'undo 1' }],
          [`/curriculum/detail?id=${ids.team}&tab=2`, { intent: 'undo 1' }],
          [`/curriculum/detail/attendance?id=${ids.team}&student=1&lesson=1&type=1`, remark],
        ] as [string, Fields][])
      : []),
  ];
}

/** Every form of this person's screens, once per button type. */
async function findPosts(identity: Identity): Promise<Visitor> {
  const { token, visitor } = await signIn(identity);
  const api = createApi(services);
  const ids: Ids = await findIds(
    async ({ method, address, body }) => {
      const answer = await api.fetch(
        new Request(`http://school.test${address}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      );
      return { status: answer.status, data: (await answer.json()).data };
    },
    identity,
    demo.now,
  );
  const add = (post: Post) => {
    const sort = [post.route, post.button, post.isMultipart ? 'files' : ''].join(' ');
    if (!found.has(sort)) found.set(sort, post);
  };
  for (const [address, fields] of screensWithForms(ids)) {
    const route = routeOf(address);
    // Skips screens already covered for others.
    if (address.startsWith('/admin') !== (identity === 'admin')) continue;
    const isKnown = [...found.values()].some((post) => post.route === route);
    if (identity !== 'teacher' && isKnown) continue;
    const page = await visitor.get(address);
    const offered = page.status === 200 ? postsOf(page, identity, address).filter((post) => post.route === route) : [];
    for (const post of offered) add(post);
    if (offered.length > 0 || !fields || !route) continue;
    const sent = Object.entries(fields);
    const typed = sent.filter(([name]) => name !== 'password');
    const button = `(${Object.keys(fields)})`;
    add({ route, button, identity, address, typed, fields: sent, fileFields: [], isMultipart: false });
  }
  return visitor;
}

/** A picture of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function send(visitor: Visitor, { address, fields, fileFields, isMultipart }: Post): Promise<Page> {
  if (!isMultipart) return visitor.post(address, fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const name of fileFields) form.append(name, new File([new Uint8Array(dot)], '图.png', { type: 'image/png' }));
  return visitor.postForm(address, form);
}

/** Fault of the returned page; undefined if it explains, keeps text and can be resent. */
function faultOf({ typed }: Pick<Post, 'typed'>, page: Page): string | undefined {
  if (page.status !== 503) return `${page.status} ${page.location ?? ''}`;
  if (!page.text.includes('服务暂时不可用')) return 'without the sentence';
  const forms = [...page.document.querySelectorAll('form')].filter(
    (form) =>
      form.getAttribute('method') === 'post' &&
      // Ignore the frame's forms (sign out, appearance): they are no way to retry.
      !/^\/(?:logout|appearance)/.test(form.getAttribute('action') ?? '') &&
      form.querySelector('button[type=submit], button:not([type])'),
  );
  const kept = forms.flatMap((form) =>
    [...form.querySelectorAll('input, textarea')].map((control) =>
      control.tagName === 'TEXTAREA' ? typedText(control) : (control.getAttribute('value') ?? ''),
    ),
  );
  const lost = typed.filter(([, value]) => !kept.some((one) => one.includes(value))).map(([name]) => name);
  if (lost.length > 0) return `without ${lost.join()}`;
  // A file must be chosen again.
  return forms.length > 0 || (typed.length === 0 && page.text.includes('重试')) ? undefined : 'with no way on';
}

const json = (body: unknown) => () => JSON.stringify(body);
const file = () => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(dot)], '图.png', { type: 'image/png' }));
  return form;
};
const mark = { kind: 'mark', report_id: 1, ques_id: 1, type: 2, user_score: '1', version: 0 };
/** Posted by a script, which needs status and message. */
const byScript: Record<string, [address: string, body: () => string | FormData]> = {
  api: ['/api/auth/login', json({ username: 'teacher', password: 'Teach2026' })],
  'homework/publish/send': ['/homework/publish/send', json(emptyForm)],
  'homework/publish/keep': ['/homework/publish/keep', json({ ...emptyForm, submit_key: 'key' })],
  'homework/publish/exchange': ['/homework/publish/exchange', json({ ques_type: 1, present: [] })],
  'questions/display': ['/homework/question/display', json({ texts: ['<p>题</p>'] })],
  'correction/save': ['/homework/approve/save', json(mark)],
  'correction/exam-save': ['/exams/approve/save', json(mark)],
  'correction/image': ['/homework/approve/image', file],
  'exam-approve-image': ['/exams/approve/image', file],
  'courseware/send': ['/courseware/send?key=k', file],
  'sessions/handout-send': ['/sessions/handout/send?id=1&key=k', file],
  'files/upload': ['/files', file],
};
/** Excluded: they report their own status, need no database, or end a session; `ims` serves other systems. */
const needsNone = ['ims', 'healthz', 'readyz', 'metrics', 'shell/appearance', 'account/logout', 'shell/not-found'];

const found = new Map<string, Post>();
const visitors = new Map<Identity, Visitor>();

it('every route with a post has a form or script', async () => {
  for (const identity of identities) visitors.set(identity, await findPosts(identity));
  const taking = Object.values(routes.build.routes).flatMap((route) => (route?.module.action ? [route.id] : []));
  const known = new Set([...[...found.values()].map(({ route }) => route), ...Object.keys(byScript), ...needsNone]);
  // Learners' routes: pages/learn.test.ts.
  expect(taking.filter((id) => !known.has(id) && !/^learn\//i.test(id) && !id.startsWith('Learn'))).toEqual([]);
});

it('every route refuses unknown buttons', async () => {
  /** Routes that stream the file without reading the intent; each has one button. */
  const unread = handout.places.map(({ id }): string => id);
  const readOnArrival: string[] = [questionImport.id, examImport.id];
  const taken: string[] = [];
  const routesHeld = new Set<string>();
  for (const [sort, post] of found) {
    if (unread.includes(post.route) || (post.isMultipart && readOnArrival.includes(post.route))) continue;
    routesHeld.add(post.route);
    const fields = post.fields.filter(([name]) => name !== 'intent');
    const page = await send(visitors.get(post.identity) as Visitor, {
      ...post,
      fields: [...fields, ['intent', 'coffee']],
    });
    if (page.status !== 400 || !page.text.includes(badRequestMessage))
      taken.push(`${sort}: ${page.status} ${page.location}`);
  }
  expect(taken).toEqual([]);
  expect(routesHeld.size).toBeGreaterThan(40);
  const appearance = await open.visitor().post('/appearance', { intent: 'coffee' });
  expect([appearance.status, appearance.headers.get('set-cookie')?.includes('appearance') ?? false]).toEqual([
    400,
    false,
  ]);
});

it.each([
  ['is away', 'away'],
  ['goes away while it is sent', 'leaving'],
] as const)('every form keeps typed text when the database %s', async (_, how) => {
  const faults: string[] = [];
  let met = 0;
  for (const [sort, post] of found) {
    const visitor = visitors.get(post.identity) as Visitor;
    const cookies = new Map(visitor.cookies);
    state = how;
    const page = await send(visitor, post);
    // Without an outage the answer is the form with validation errors, which other tests check.
    const isAway = state !== 'leaving';
    if (isAway) met += 1;
    state = 'there';
    visitor.cookies.clear();
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    const fault = isAway ? faultOf(post, page) : undefined;
    if (fault) faults.push(`${sort}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(met).toBeGreaterThan(40);
});

it('a form without its file keeps typed text when resent from the error page', async () => {
  const faults: string[] = [];
  let met = 0;
  for (const [sort, post] of found) {
    if (!post.isMultipart || post.typed.length === 0) continue;
    met += 1;
    const visitor = visitors.get(post.identity) as Visitor;
    state = 'away';
    const page = await send(visitor, post);
    state = 'there';
    const again = formOf(page, '重新提交');
    const after = await visitor.post(again.action || post.address, again.fields);
    // The repeated post is accepted without the file, or shows the form again with the typed text.
    const lost = post.typed.filter(([, value]) => after.location === null && !after.html.includes(value));
    if (lost.length > 0) faults.push(`${sort}: ${after.status} without ${lost.map(([name]) => name)}`);
  }
  expect(faults).toEqual([]);
  expect(met).toBeGreaterThan(10);
});

it('a token request of another system gets an error', async () => {
  state = 'away';
  const headers = { host: 'school.test', authorization: `Basic ${btoa('client:secret')}` };
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'x' });
  const asked = new Request('http://school.test/ims/oneroster/token', { method: 'POST', headers, body });
  const response = await open.fetch(asked).finally(() => {
    state = 'there';
  });
  expect([response.status, (await response.json()).imsx_description]).toEqual([503, sentence]);
});

it.each(Object.entries(byScript))('%s gets an error for its script', async (_, [address, body]) => {
  const cookie = `session=${visitors.get('teacher')?.cookies.get('session')}`;
  const headers = { host: 'school.test', origin: 'http://school.test', cookie };
  const sent = body();
  const type: Record<string, string> = typeof sent === 'string' ? { 'content-type': 'application/json' } : {};
  state = 'away';
  const init = { method: 'POST', body: sent, headers: { ...headers, ...type } };
  const response = await open.fetch(new Request(`http://school.test${address}`, init)).finally(() => {
    state = 'there';
  });
  expect([response.status, (await response.json()).msg]).toEqual([503, sentence]);
});

it('a non-form body gets a 4xx without an error log', async () => {
  const cookie = `session=${visitors.get('admin')?.cookies.get('session')}`;
  const headers = { host: 'school.test', origin: 'http://school.test', cookie, 'content-type': 'application/json' };
  const init = { method: 'POST', body: '{"nickname":', headers };
  const response = await open.fetch(new Request('http://school.test/admin/students/add', init));
  expect([response.status, await response.text()]).toEqual([415, expect.stringContaining('提交的内容不是表单')]);
});
