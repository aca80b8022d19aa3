/** Builds `/api/openapi.json` and the readable page `/api/docs` from the declarations. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { html, raw } from 'hono/html';
import type { ApiRouter } from './answer.ts';
import {
  type AnyCall,
  type Example,
  fullPathFor,
  isShared,
  methodsOf,
  type Prefixes,
  pathOfAnyRole,
  type Schema,
} from './call.ts';
import { success } from './envelope.ts';
import { refusalStatus } from './outcome.ts';

interface Subject {
  name: string;
  calls: readonly { call: AnyCall }[];
  /** Only for calls that other applications make: how they authenticate, and a note. */
  application?: { security: Record<string, never[]>; note: string };
}

/** Texts and calls for the API description. */
export interface Description {
  title: string;
  /** Introduction for all calls. */
  description: string;
  /** OpenAPI security schemes; the first is the default. */
  securitySchemes: Record<string, object>;
  subjects: readonly Subject[];
  prefixes: Prefixes;
  permissionNames: Readonly<Record<string, string>>;
  /** Sentence on the API page about which token the calls outside the role prefixes take. */
  sharedNote: string;
  /** Operations that are not declared as calls, by path and method. */
  others: () => Record<string, Record<string, Operation>>;
}

/** Addresses of the document and the page. */
export interface DescriptionPaths {
  document: string;
  page: string;
}

export function describeApi(
  api: ApiRouter,
  described: Description,
  { document: documentPath, page }: DescriptionPaths = { document: '/api/openapi.json', page: '/api/docs' },
): void {
  // Built when first requested, to keep startup fast.
  let document: ReturnType<typeof openApi> | undefined;
  const made = () => {
    document ??= openApi(described);
    return document;
  };
  api.get(documentPath, (context) => context.json(made()));
  api.get(page, (context) => {
    context.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    return context.html(docsPage(made(), documentPath));
  });
}

export interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: unknown }[];
  /** Security schemes, if the operation does not take the default token; [] if it is public. */
  security?: Record<string, never[]>[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown; example?: unknown }> }>;
  /** A sample curl request; token and host must be filled in. */
  'x-request'?: string;
}

export function openApi({ title, description, securitySchemes, ...described }: Description) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const subject of described.subjects) {
    for (const { call } of subject.calls) {
      const roles = Object.keys(described.prefixes);
      for (const role of isShared(call) ? roles.slice(0, 1) : roles) {
        for (const [path, operation] of operationsOf(subject, call, role, described)) {
          const operations = paths[path] ?? {};
          for (const method of methodsOf(call)) operations[method.toLowerCase()] = operation;
          paths[path] = operations;
        }
      }
    }
  }
  Object.assign(paths, described.others());
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description },
    components: { securitySchemes },
    security: Object.keys(securitySchemes)
      .slice(0, 1)
      .map((scheme) => ({ [scheme]: [] })),
    paths,
  };
}

/** A path with an optional last parameter becomes two paths in OpenAPI. */
function operationsOf(
  { name, application }: Subject,
  call: AnyCall,
  role: string,
  { prefixes, permissionNames, sharedNote }: Pick<Description, 'prefixes' | 'permissionNames' | 'sharedNote'>,
): [string, Operation][] {
  const full = isShared(call) ? pathOfAnyRole(call) : fullPathFor(prefixes, call, role);
  if (full === undefined) return [];
  const variants = full.includes('?') ? [full.replace(/\/:\w+\?$/, ''), full.replace('?', '')] : [full];
  return variants.map((path) => {
    const query = call.query ? schemaOf(call.query as Schema) : undefined;
    const notes = [
      ...(application
        ? [application.note]
        : [
            call.needs &&
              `需要权限：${[call.needs]
                .flat()
                .map((one) => permissionNames[one])
                .join('、或')}。`,
            isShared(call) && sharedNote,
            call.changes &&
              !call.secret &&
              '可带 Idempotency-Key 请求头，重复提交只生效一次；同一标识的内容变化时返回 409。',
          ]),
      call.description,
    ].filter(Boolean);
    const operation: Operation = {
      tags: [name],
      summary: call.title,
      ...(notes.length > 0 ? { description: notes.join('') } : {}),
      ...(application ? { security: [application.security] } : {}),
      parameters: [
        ...namesIn(path).map(pathParameter),
        ...Object.entries((query?.properties ?? {}) as Record<string, unknown>).map(([name, schema]) => ({
          name,
          in: 'query' as const,
          required: false,
          schema,
        })),
      ],
      // Bodies of staff calls accept several spellings, so the description shows the parsed form.
      ...requestBodyOf(call, application ? 'input' : 'output'),
      responses: {
        '200': {
          description: call.message ?? '操作成功',
          content: call.file
            ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
            : {
                'application/json': {
                  schema: envelopeSchema(schemaOf(call.answer as Schema)),
                  ...(call.example && { example: success(call.example.answer ?? null, call.message) }),
                },
              },
        },
        ...refusals,
      },
      ...(call.example && { 'x-request': requestOf(call, path, call.example) }),
    };
    return [templateOf(path), operation];
  });
}

/** Builds the curl command of a call's example. */
function requestOf({ method, upload }: AnyCall, path: string, { params = {}, query, body }: Example): string {
  const named = path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? name));
  const parameters = query
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
    : '';
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$SCHOOL${named}${parameters}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(upload ? [`-F ${upload.field}=@photo.jpg`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
  ].join(' ');
}

const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((found) => found[1] as string);
const pathParameter = (name: string) => ({ name, in: 'path' as const, required: true, schema: { type: 'string' } });

const refusals = Object.fromEntries(
  Object.entries(refusalStatus).map(([kind, status]) => [String(status), { description: kind }]),
);

function requestBodyOf(call: AnyCall, typeMode: 'input' | 'output'): Pick<Operation, 'requestBody'> {
  const body = call.body ? schemaOf(call.body as Schema, typeMode) : undefined;
  if (call.upload) {
    const file = { [call.upload.field]: { type: 'string', format: 'binary' } };
    const properties = { ...file, ...(body?.properties as object | undefined) };
    return { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } } };
  }
  return body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {};
}

/** Describes an operation that is no declared call. `path` gives the parameter names. */
export function plainOperation(
  path: string,
  said: Pick<Operation, 'tags' | 'summary' | 'description' | 'security'>,
  { body, answer }: { body?: Schema; answer?: Schema } = {},
): Operation {
  const answered = answer && { content: { 'application/json': { schema: envelopeSchema(schemaOf(answer)) } } };
  return {
    ...said,
    parameters: namesIn(path).map(pathParameter),
    ...(body ? { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } } : {}),
    responses: { '200': { description: '操作成功', ...answered }, ...(answer ? refusals : {}) },
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

// ---- Readable page -----------------------------------------------------------------------------

const docsStyle =
  raw(`body{font:16px/1.6 system-ui,"Microsoft YaHei",sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem;color:#1c2733}
h2{margin-top:2.5rem;border-bottom:2px solid #d5dde5}code{font:14px/1.5 Consolas,monospace}summary{cursor:pointer;padding:.35rem 0}
.m{display:inline-block;min-width:4.5em;font-weight:700;color:#0b5394}details{border-bottom:1px solid #e4eaf0}pre{background:#f4f7fa;padding:1rem;overflow:auto}`);

function docsPage(document: ReturnType<typeof openApi>, documentPath: string) {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(rows.map((row) => row.operation.tags[0] as string))];
  return html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${document.info.title}</title><style>${docsStyle}</style></head><body>
<h1>${document.info.title}</h1><p>${document.info.description} 机器可读的版本：<a href="${documentPath}">openapi.json</a>。</p>
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
<p>${operation.description ?? ''}</p>${examplesOf(operation)}<pre>${JSON.stringify({ parameters: operation.parameters, requestBody: operation.requestBody, responses: operation.responses['200'] }, null, 2)}</pre></details>`,
      )}`,
)}</body></html>`;
}

function examplesOf({ 'x-request': request, responses }: Operation) {
  if (!request) return '';
  const { example } = responses['200']?.content?.['application/json'] ?? {};
  const answer = example === undefined ? '' : `\n\n${JSON.stringify(example, null, 2)}`;
  return html`<pre>${request}${answer}</pre>`;
}
