import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formOf, openApp, type Visitor } from '../support/app.ts';
import { pauseFor } from '../support/pause.ts';

/** The screens over a remote API, played by msw. */
const base = 'http://api.other-school.test';
const envelope = (code: number, msg: string, data: unknown = null, more = {}) =>
  HttpResponse.json({ code, msg, data, ...more }, { status: code });
const facts = {
  id: 7,
  name: '外校作业',
  status: 1,
  publish_type: 1,
  published_class_count: 1,
  class_count: 1,
  is_owner: 1,
  refusals: { recall: null, deadline: null, continue: null },
  ending_time: 4_000_000_000,
  homework_count: 4,
  submitted_homework_count: 1,
};
const row = {
  ...facts,
  type: 1,
  course_title: '课程',
  periods_title: '',
  not_revised_homework_count: 0,
  submitted_homework_count: 3,
  homework_count: 9,
  publish_time: 1_700_000_000,
  class_name: '外校一班',
  creator_type: 1,
  teacher_name: '外校讲师',
  assistant_name: '',
};
const working = [
  http.post(`${base}/api/auth/login`, () =>
    envelope(200, '登录成功', {
      token: 'a-token-of-the-other-school',
      identity: 'teacher',
      permissions: ['dispatch', 'correct'],
    }),
  ),
  http.get(`${base}/api/auth/me`, () =>
    envelope(200, '操作成功', {
      id: 1,
      identity: 'teacher',
      name: '外校讲师',
      permissions: ['dispatch', 'correct'],
      settings: { timezone: 'Asia/Shanghai', switch_question_module: true, class_homework_module: true },
    }),
  ),
  http.get(`${base}/api/lector/hw/index`, () =>
    envelope(200, '操作成功', { list: [row], total: 1, page: 1, limit: 20 }),
  ),
  http.get(`${base}/api/lector/hw/correct/quantity`, () => envelope(200, '操作成功', { quantity: 0 })),
  http.get(`${base}/api/lector/workbench/counts`, () =>
    envelope(200, '操作成功', { corrections: 0, exams: 0, leave: 0 }),
  ),
  http.get(`${base}/api/lector/hw/publish/button/:id`, () => envelope(200, '操作成功', facts)),
  http.put(`${base}/api/lector/hw/update/ending_time/:id/:seconds`, () => envelope(200, '调整成功')),
];
const other = setupServer(...working);
const hwIndex = `${base}/api/lector/hw/index`;
const deadline = `${base}/api/lector/hw/update/ending_time/:id/:seconds`;

/** Every failure of the remote API, with the page shown. */
const failures: [name: string, answer: () => Response | Promise<Response>, status: number, msg: string][] = [
  ['403', () => envelope(403, '没有此权限'), 403, '没有此权限'],
  ['404', () => envelope(404, '作业不存在'), 404, '作业不存在'],
  ['409', () => envelope(409, '该作业已撤回'), 409, '该作业已撤回'],
  [
    '422',
    () => envelope(422, '截止时间有误', null, { errors: { ending_time: ['截止时间有误'] } }),
    422,
    '截止时间有误',
  ],
  ['500', () => envelope(500, '服务器出错了，请稍后再试'), 500, '服务器出错了，请稍后再试'],
  [
    'slow',
    async () => {
      await pauseFor(2_000);
      return envelope(200, '太晚了');
    },
    503,
    '服务暂时不可用，请稍后再试',
  ],
  ['cut off', () => HttpResponse.error(), 503, '服务暂时不可用，请稍后再试'],
  [
    'cut off half way',
    () => new HttpResponse('{"code":200,"msg":"操', { headers: { 'content-type': 'application/json' } }),
    503,
    '服务暂时不可用，请稍后再试',
  ],
  ['not JSON', () => HttpResponse.html('<h1>502 Bad Gateway</h1>', { status: 502 }), 503, '服务暂时不可用，请稍后再试'],
  ['JSON of another shape', () => HttpResponse.json(['surprise']), 503, '服务暂时不可用，请稍后再试'],
];

describe('screens over a remote API', () => {
  let visitor: Visitor;

  beforeAll(async () => {
    other.listen();
    process.env.API_BASE_URL = base;
    process.env.API_TIMEOUT = '300';
    const app = await openApp();
    visitor = app.visitor();
    const { location } = await visitor.post('/login', { username: 'teacher', password: 'x' });
    expect(location).toBe('/');
  });
  afterEach(() => other.resetHandlers());
  afterAll(() => {
    other.close();
    delete process.env.API_BASE_URL;
    delete process.env.API_TIMEOUT;
  });

  it('load a list with the token', async () => {
    let authorization: string | null = null;
    other.use(
      http.get(hwIndex, ({ request }) => {
        authorization = request.headers.get('authorization');
        return undefined;
      }),
    );
    const page = await visitor.get('/homework');
    expect([page.status, page.text.includes('外校作业'), page.text.includes('3/9')]).toEqual([200, true, true]);
    expect(authorization).toBe('Bearer a-token-of-the-other-school');
  });

  it.each(failures)('show an error page with a link when a list answers %s', async (_, answer, status, msg) => {
    other.use(http.get(hwIndex, answer));
    const page = await visitor.get('/homework?name=外校');
    expect([page.status, page.document.querySelector('[role=alert]')?.textContent]).toEqual([status, msg]);
    const again = [...page.document.querySelectorAll('a')].find((a) => a.textContent === '重试');
    expect(again?.getAttribute('href')).toBe(`/homework?name=${encodeURIComponent('外校')}`);
  });

  it('show an error page when a list violates the contract', async () => {
    other.use(
      http.get(hwIndex, () => envelope(200, '操作成功', { list: [{ id: 'x' }], total: 1, page: 1, limit: 20 })),
    );
    expect((await visitor.get('/homework')).status).toBe(503);
  });

  it.each(failures)('return a form with typed text when the API answers %s', async (_, answer, status, msg) => {
    other.use(http.put(deadline, answer));
    const page = await visitor.post('/homework/7/deadline?tab=main', {
      ending_time: '2098-01-02T03:04',
      idempotency_key: 'k',
    });
    expect(page.status).toBe(status);
    expect(page.text).toContain(msg);
    expect(page.document.querySelector('#ending_time')?.getAttribute('value')).toBe('2098-01-02T03:04');
    expect(formOf(page, '确定').fields).toContainEqual(['idempotency_key', 'k']);
  });

  it('keep typed text even when the list behind the form fails', async () => {
    other.use(
      http.put(deadline, () => HttpResponse.error()),
      http.get(hwIndex, () => HttpResponse.error()),
    );
    const page = await visitor.post('/homework/7/deadline?tab=main', {
      ending_time: '2098-01-02T03:04',
      idempotency_key: 'k',
    });
    expect(page.status).toBe(503);
    expect(formOf(page, '重新提交')).toEqual({
      action: '/homework/7/deadline?tab=main',
      fields: [
        ['form_of', '1 外校讲师'],
        ['ending_time', '2098-01-02T03:04'],
        ['idempotency_key', 'k'],
      ],
    });
  });

  it('keep the form’s person in a resubmission, and add no idempotency key', async () => {
    other.use(
      http.put(deadline, () => HttpResponse.error()),
      http.get(hwIndex, () => HttpResponse.error()),
    );
    const sent = { form_of: '1 外校讲师', ending_time: '2098-01-02T03:04' };
    const page = await visitor.post('/homework/7/deadline?tab=main', sent);
    expect(formOf(page, '重新提交').fields).toEqual(Object.entries(sent));
  });

  it('lead to sign-in after an unknown token, and keep the form', async () => {
    other.use(http.get(hwIndex, () => envelope(401, '请先登录')));
    expect((await visitor.get('/homework?page=2')).location).toBe('/login?redirectTo=%2Fhomework%3Fpage%3D2');
    other.use(http.put(deadline, () => envelope(401, '请先登录')));
    const page = await visitor.post('/homework/7/deadline', { ending_time: '2098-01-02T03:04' });
    expect([page.status, formOf(page, '登录').fields.find(([name]) => name === 'resume_body')?.[1]]).toEqual([
      401,
      'ending_time=2098-01-02T03%3A04',
    ]);
  });

  it('report a sign-in that the API does not answer', async () => {
    other.use(http.post(`${base}/api/auth/login`, () => HttpResponse.error()));
    const page = await visitor.post('/login', { username: 'teacher', password: 'x' });
    expect([page.status, page.document.querySelector('[role=alert]')?.textContent]).toEqual([
      503,
      '服务暂时不可用，请稍后再试',
    ]);
  });
});
