/** Text of the API's documentation besides the subjects' calls. */
import * as v from 'valibot';
import { WrittenSetup } from '#server/account/setup.contract.ts';
import { Credentials, loginPath, logoutPath, SignedIn } from '#server/account/sign-in.contract.ts';
import { identityDescription } from '#server/identity/description.ts';
import { rosterPaths } from '#server/oneroster/description.ts';
import { type Description, type Operation, plainOperation } from '#server/platform/calls/describe.ts';
import { policyReportsPath } from '#server/platform/calls/policy-reports.ts';
import { Branding, brandingPath, logoPath } from '#server/school/branding.contract.ts';
import { permissionNames, prefixes } from '#server/school/call.ts';

const operationPath = (path: string, summary: string): Record<string, Operation> => ({
  get: plainOperation(path, { tags: ['运行'], summary, security: [] }),
});

export const applicationPaths = { document: '/api/openapi-app.json', page: '/api/docs/app' };

const feedPath = '/api/calendar/feed/{token}';

export const description: Omit<Description, 'subjects'> = {
  title: '教学后台 API',
  description: '应答均为 {code, msg, data, extra?}，HTTP 状态码等于 code。时间为 Unix 秒。',
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: `登录后得到的令牌（${loginPath}）。` },
    application: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'app_…',
      description:
        '学习端应用的服务令牌（app_…），由教务在应用令牌中生成；或学员的令牌（learner_…），由 /api/app/session 取得。',
    },
  },
  prefixes,
  permissionNames,
  sharedNote: '地址不分身份，凭登录令牌调用。',
  others: () => ({
    '/healthz': operationPath('/healthz', '进程是否在运行'),
    '/readyz': operationPath(
      '/readyz',
      '能否提供服务：数据库、文件存储是否可用，数据库结构是否已更新，各自的状态在 data 中',
    ),
    '/metrics': operationPath('/metrics', '运行指标（Prometheus），凭 METRICS_TOKEN；未设置时为 404'),
    '/api/openapi.json': operationPath('/api/openapi.json', '本文档（OpenAPI 3.1）'),
    '/api/docs': operationPath('/api/docs', '本文档（网页）'),
    [applicationPaths.document]: operationPath(applicationPaths.document, '学习端的接口文档（OpenAPI 3.1）'),
    [applicationPaths.page]: operationPath(applicationPaths.page, '学习端的接口文档（网页）'),
    [rosterPaths.document]: operationPath(rosterPaths.document, '数据对接（OneRoster）的接口文档（OpenAPI 3.1）'),
    [rosterPaths.page]: operationPath(rosterPaths.page, '数据对接（OneRoster）的接口文档（网页）'),
    [policyReportsPath]: {
      post: plainOperation(policyReportsPath, {
        tags: ['运行'],
        summary: '浏览器的内容安全策略报告',
        description: '由浏览器自动发送（report-uri 与 report-to），不需要登录，每个来源地址每分钟 60 次。',
        security: [],
      }),
    },
    [loginPath]: {
      post: plainOperation(
        loginPath,
        { tags: ['登录'], summary: '登录', security: [] },
        { body: Credentials, answer: SignedIn },
      ),
    },
    [logoutPath]: {
      post: plainOperation(logoutPath, { tags: ['登录'], summary: '退出登录' }, { answer: v.null() }),
    },
    ...identityDescription,
    '/api/setup/{code}': {
      get: plainOperation('/api/setup/:code', {
        tags: ['登录'],
        summary: '设置地址是否有效',
        description: '首次启动空数据库时打印的一次性地址，无效、过期或已使用为 404。',
        security: [],
      }),
      post: plainOperation(
        '/api/setup/:code',
        { tags: ['登录'], summary: '设置学校与第一位教务', security: [] },
        { body: WrittenSetup, answer: SignedIn },
      ),
    },
    [brandingPath]: {
      get: plainOperation(
        brandingPath,
        { tags: ['学校'], summary: '学校的名称与标志', description: '不需要登录。', security: [] },
        { answer: Branding },
      ),
    },
    [logoPath]: {
      get: plainOperation(logoPath, {
        tags: ['学校'],
        summary: '学校标志（PNG）',
        description: '不需要登录，没有设置时为 404。',
        security: [],
      }),
    },
    [feedPath]: {
      get: plainOperation(feedPath.replace('{token}', ':token'), {
        tags: ['教学日历'],
        summary: '按订阅地址读取日历',
        description: 'iCalendar（RFC 5545），不需要登录，地址停用后为 404。',
        security: [],
      }),
    },
  }),
};

/** Text of the learner API's own documentation. */
export const applicationDescription: Omit<Description, 'subjects'> = {
  ...description,
  title: '学习端 API',
  description:
    '应答均为 {code, msg, data, extra?}，HTTP 状态码等于 code，字段错误在 errors 中。时间为 Unix 秒。用服务令牌调用时以 uid 指明学员，其他学校的学员为 404；用学员令牌时不需要 uid。带 ETag 的应答可用 If-None-Match 询问，没有变化时为 304。列表的 since 带入下一次请求，只取此后变化的内容（最近半分钟的可能重复）。每个令牌的请求次数有限，超出时为 429，按 Retry-After 再试。',
  securitySchemes: { application: description.securitySchemes.application as object },
  others: () => ({}),
};
