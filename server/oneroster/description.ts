/** Text of the page `/api/docs/oneroster`, which documents the OneRoster endpoints. */
import type { Description, Operation } from '#server/platform/calls/describe.ts';
import { prefixes } from '#server/school/call.ts';
import { scopes, scopeUri } from './access.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { defaultLimit, docsPath, gradebookPath, maxLimit, tokenPath } from './rules.ts';

export const rosterPaths = { document: '/api/openapi-oneroster.json', page: docsPath };

const statusInfo = {
  type: 'object',
  required: ['imsx_codeMajor', 'imsx_severity'],
  properties: {
    imsx_codeMajor: { enum: ['success', 'processing', 'failure', 'unsupported'] },
    imsx_severity: { enum: ['status', 'warning', 'error'] },
    imsx_description: { type: 'string' },
    imsx_CodeMinor: {
      type: 'object',
      properties: {
        imsx_codeMinorField: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              imsx_codeMinorFieldName: { type: 'string' },
              imsx_codeMinorFieldValue: { type: 'string' },
            },
          },
        },
      },
    },
  },
};
const refusalSchema = (description: string) => ({
  description,
  content: { 'application/json': { schema: statusInfo } },
});
const refusals = {
  '400': refusalSchema('查询参数有误'),
  '401': refusalSchema('没有令牌，或令牌已过期'),
  '403': refusalSchema('令牌没有该范围'),
  '404': refusalSchema('没有该记录，或属于其他学校'),
  '429': refusalSchema('请求过于频繁，按 Retry-After 再试'),
};

const parameter = (name: string, schema: object, place: 'path' | 'query' = 'query') => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});
const listing = [
  parameter('limit', { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }),
  parameter('offset', { type: 'integer', minimum: 0, default: 0 }),
  parameter('sort', { type: 'string' }),
  parameter('orderBy', { enum: ['asc', 'desc'], default: 'asc' }),
  parameter('filter', { type: 'string' }),
];

function operationOf({ path, title, resource, isOne, scopes: open }: Endpoint): Operation {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const record = { type: 'object', properties: Object.fromEntries(fieldsOf(resource.fields)) };
  const schema = isOne
    ? { type: 'object', properties: { [resource.one]: record } }
    : { type: 'object', properties: { [resource.many]: { type: 'array', items: record } } };
  return {
    tags: [path.startsWith(gradebookPath) ? '成绩（gradebook）' : '名册（rostering）'],
    summary: title,
    description: `范围（scope）：${open.map(scopeUri).join(' 或 ')}。可筛选和排序的字段：${Object.keys(resource.fields).join('、')}。`,
    parameters: [
      ...names.map((name) => parameter(name, { type: 'string' }, 'path')),
      ...(isOne ? [] : listing),
      parameter('fields', { type: 'string' }),
    ],
    responses: { '200': { description: '操作成功', content: { 'application/json': { schema } } }, ...refusals },
    'x-request': `curl "$SCHOOL${path.replace(/:(\w+)/g, '$1')}" -H "Authorization: Bearer $TOKEN"`,
  };
}

const fieldsOf = (fields: Readonly<Record<string, string>>): [string, object][] =>
  [...new Set(Object.keys(fields).map((name) => name.split('.', 1)[0] ?? name))].map((name) => [
    name,
    fields[name] === 'number' ? { type: 'number' } : fields[name] === undefined ? {} : { type: 'string' },
  ]);

const tokenOperation: Operation = {
  tags: ['令牌'],
  summary: '取得令牌',
  description:
    'OAuth 2.0 客户端凭据方式：client_id 和 client_secret 以 HTTP Basic 或表单字段发送，scope 以空格分隔，不写为可得的全部。令牌一小时有效。',
  parameters: [],
  security: [],
  requestBody: {
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: { const: 'client_credentials' },
            scope: { type: 'string' },
            client_id: { type: 'string' },
            client_secret: { type: 'string' },
          },
        },
      },
    },
  },
  responses: {
    '200': {
      description: '令牌',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              access_token: { type: 'string' },
              token_type: { const: 'Bearer' },
              expires_in: { type: 'integer' },
              scope: { type: 'string' },
            },
          },
        },
      },
    },
    '400': { description: 'error 为 invalid_request、unsupported_grant_type 或 invalid_scope' },
    '401': { description: 'error 为 invalid_client' },
  },
  'x-request': `curl -X POST "$SCHOOL${tokenPath}" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials`,
};

export const rosterDescription: Description = {
  title: '数据对接（OneRoster 1.2）',
  description: `按 OneRoster 1.2 标准只读提供名册和成绩，对接系统由教务在“设置→数据对接”中添加，只读到它所属的学校。列表以 limit（默认${defaultLimit}，最多${maxLimit}）和 offset 分页，总数在 X-Total-Count，前后页在 Link；filter 写作 字段='值'，可用 =、!=、>、>=、<、<=、~（包含）和 AND、OR；已停用、已离开的记录 status 为 tobedeleted。出错时应答为 imsx_StatusInfo。sourcedId 与导出的 OneRoster 文件相同。`,
  securitySchemes: {
    oneroster: {
      type: 'oauth2',
      flows: {
        clientCredentials: {
          tokenUrl: tokenPath,
          scopes: Object.fromEntries(
            Object.entries(scopes).map(([scope, of]) => [
              scopeUri(scope as keyof typeof scopes),
              of === 'roster' ? '名册' : '成绩',
            ]),
          ),
        },
      },
    },
  },
  subjects: [],
  prefixes,
  permissionNames: {},
  sharedNote: '',
  others: () => ({
    [tokenPath]: { post: tokenOperation },
    ...Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path.replace(/:(\w+)/g, '{$1}'), { get: operationOf(endpoint) }]),
    ),
  }),
};
