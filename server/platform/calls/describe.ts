/** `/api/openapi.json` and a readable page at `/api/docs`, both made from the declarations. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { html, raw } from 'hono/html';
import type { ApiRouter } from './answer.ts';
import { type ApplicationCall, applicationCallsOf } from './application-call.ts';
import { type AnyCall, addressFor, isShared, type Role, type Schema } from './call.ts';
import { refusalStatus } from './outcome.ts';

interface Subject {
  name: string;
  calls: readonly { call: AnyCall }[];
}

export function describeApi(api: ApiRouter, subjects: readonly Subject[]): void {
  // Made on first demand: nobody who only works here should wait for it at start.
  let document: ReturnType<typeof openApi> | undefined;
  const described = () => {
    document ??= openApi(subjects, applicationCallsOf(api));
    return document;
  };
  api.get('/api/openapi.json', (context) => context.json(described()));
  api.get('/api/docs', (context) => {
    context.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    return context.html(docsPage(described()));
  });
}

interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: unknown }[];
  /** Where it is not the token of a person; nobody's is the empty list. */
  security?: Record<string, never[]>[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

export function openApi(subjects: readonly Subject[], ofApplication: readonly ApplicationCall[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { name, calls } of subjects) {
    for (const { call } of calls) {
      for (const role of isShared(call) ? (['teacher'] as const) : (['teacher', 'assist'] as const)) {
        for (const [path, operation] of operationsOf(name, call, role)) {
          const methods = call.alsoPost ? [call.method, 'POST'] : [call.method];
          const methodsOf = paths[path] ?? {};
          for (const method of methods) methodsOf[method.toLowerCase()] = operation;
          paths[path] = methodsOf;
        }
      }
    }
  }
  for (const call of ofApplication) {
    const path = templateOf(call.path);
    paths[path] = { ...paths[path], post: applicationOperation(call) };
  }
  Object.assign(paths, plainPaths);
  return {
    openapi: '3.1.0',
    info: {
      title: '教学后台 API',
      version: '1.0.0',
      description: '应答均为 {code, msg, data, extra?}，HTTP 状态码等于 code。时间为 Unix 秒。',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '登录后得到的令牌（/api/auth/login）。' },
        application: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'app_…',
          description: '学习端应用的服务令牌，由 npm run staff -- token 生成。',
        },
      },
    },
    security: [{ bearer: [] }],
    paths,
  };
}

/** An optional last parameter is two paths to OpenAPI. */
function operationsOf(subject: string, call: AnyCall, role: Role): [string, Operation][] {
  const full = addressFor(call, role);
  if (full === undefined) return [];
  const variants = full.includes('?') ? [full.replace(/\/:\w+\?$/, ''), full.replace('?', '')] : [full];
  return variants.map((path) => {
    const query = call.query ? schemaOf(call.query as Schema) : undefined;
    const notes = [
      call.needs && `需要权限：${call.needs === 'dispatch' ? '布置作业' : '批改作业'}。`,
      isShared(call) && '两种身份的登录令牌均可。',
      call.changes && '可带 Idempotency-Key 请求头，重复提交只生效一次；同一标识的内容变化时返回 409。',
    ].filter(Boolean);
    const operation: Operation = {
      tags: [subject],
      summary: call.title,
      ...(notes.length > 0 ? { description: notes.join('') } : {}),
      parameters: [
        ...namesIn(path).map(pathParameter),
        ...Object.entries((query?.properties ?? {}) as Record<string, unknown>).map(([name, schema]) => ({
          name,
          in: 'query' as const,
          required: false,
          schema,
        })),
      ],
      ...requestBodyOf(call),
      responses: {
        '200': {
          description: call.message ?? '操作成功',
          content: call.file
            ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
            : { 'application/json': { schema: envelopeSchema(schemaOf(call.answer as Schema)) } },
        },
        ...refusals,
      },
    };
    return [templateOf(path), operation];
  });
}

const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((found) => found[1] as string);
const pathParameter = (name: string) => ({ name, in: 'path' as const, required: true, schema: { type: 'string' } });

const refusals = Object.fromEntries(
  Object.entries(refusalStatus).map(([kind, status]) => [String(status), { description: kind }]),
);

function requestBodyOf(call: AnyCall): Pick<Operation, 'requestBody'> {
  const body = call.body ? schemaOf(call.body as Schema) : undefined;
  if (call.upload) {
    const file = { [call.upload.field]: { type: 'string', format: 'binary' } };
    const properties = { ...file, ...(body?.properties as object | undefined) };
    return { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } } };
  }
  return body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {};
}

/** What is no call of a subject. */
const plainPaths: Record<string, Record<string, Operation>> = {
  '/healthz': { get: open('进程是否在运行', '运行') },
  '/readyz': { get: open('能否提供服务：数据库是否可用', '运行') },
  '/api/openapi.json': { get: open('本文档（OpenAPI 3.1）', '运行') },
  '/api/docs': { get: open('本文档（网页）', '运行') },
  '/api/auth/login': { post: open('登录', '登录', { username: 'string', password: 'string' }) },
  '/api/auth/logout': { post: plain('退出登录') },
  '/api/calendar/feed/{token}': {
    get: {
      ...open('按订阅地址读取日历', '教学日历'),
      parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
      description: 'iCalendar（RFC 5545），不需要登录，地址停用后为 404。',
    },
  },
};

/** Of the learners' own application, by a service token. */
function applicationOperation({ title, description, body, file, answer, message, path }: ApplicationCall): Operation {
  const form = { type: 'object', properties: { [file ?? '']: { type: 'string', format: 'binary' } }, required: [file] };
  return {
    tags: ['学习端'],
    summary: title,
    description: `学习端应用凭服务令牌调用${file ? '' : '，重复提交不会重复生效'}。${description ?? ''}`,
    security: [{ application: [] }],
    parameters: namesIn(path).map(pathParameter),
    ...(file ? { requestBody: { content: { 'multipart/form-data': { schema: form } } } } : {}),
    ...(body ? { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } } : {}),
    responses: {
      '200': {
        description: message,
        content: { 'application/json': { schema: envelopeSchema(answer ? schemaOf(answer) : { type: 'null' }) } },
      },
      ...refusals,
    },
  };
}

/** Answers without a token. */
function open(summary: string, tag: string, body?: Record<string, string>): Operation {
  return { ...plain(summary, body), tags: [tag], security: [] };
}

function plain(summary: string, body?: Record<string, string>): Operation {
  const properties = Object.fromEntries(Object.entries(body ?? {}).map(([name, type]) => [name, { type }]));
  return {
    tags: ['登录'],
    summary,
    parameters: [],
    ...(body ? { requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } } } : {}),
    responses: { '200': { description: '操作成功' } },
  };
}

const schemaOf = (schema: Schema, typeMode: 'input' | 'output' = 'output') => {
  const { $schema, ...described } = toJsonSchema(schema, { errorMode: 'ignore', typeMode }) as Record<string, unknown>;
  return described;
};

const envelopeSchema = (data: unknown) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
});

// ---- the readable page -------------------------------------------------------------------------

const docsStyle =
  raw(`body{font:16px/1.6 system-ui,"Microsoft YaHei",sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem;color:#1c2733}
h2{margin-top:2.5rem;border-bottom:2px solid #d5dde5}code{font:14px/1.5 Consolas,monospace}summary{cursor:pointer;padding:.35rem 0}
.m{display:inline-block;min-width:4.5em;font-weight:700;color:#0b5394}details{border-bottom:1px solid #e4eaf0}pre{background:#f4f7fa;padding:1rem;overflow:auto}`);

function docsPage(document: ReturnType<typeof openApi>) {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(rows.map((row) => row.operation.tags[0] as string))];
  return html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>教学后台 API</title><style>${docsStyle}</style></head><body>
<h1>教学后台 API</h1><p>${document.info.description} 机器可读的版本：<a href="/api/openapi.json">openapi.json</a>。</p>
${tags.map(
  (tag) =>
    html`<h2>${tag}</h2>${rows
      .filter((row) => row.operation.tags[0] === tag)
      .map(
        ({
          path,
          method,
          operation,
        }) => html`<details><summary><span class="m">${method.toUpperCase()}</span> <code>${path}</code> ${operation.summary}</summary>
<p>${operation.description ?? ''}</p><pre>${JSON.stringify({ parameters: operation.parameters, requestBody: operation.requestBody, responses: operation.responses['200'] }, null, 2)}</pre></details>`,
      )}`,
)}</body></html>`;
}
