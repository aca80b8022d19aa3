export const missingClient = '该对接系统不存在';

/** Maximum characters of a client's name. */
export const clientNameLimit = 50;

export const clientMessages = {
  noName: '请填写系统名称',
  nameLength: `系统名称不能超过${clientNameLimit}个字`,
  noSchools: '请选择至少一所学校',
  everySchool: '只有管理全部学校的教务可以授予',
  noReads: '请选择至少一项可读取的内容',
} as const;

export const clientEndFault = (client: { ended_at: number | null }): string | undefined =>
  client.ended_at === null ? undefined : '该对接系统已停用';

/** Data that a client may read. */
export const clientPermissions = ['roster', 'gradebook'] as const;
export type ClientPermission = (typeof clientPermissions)[number];
export const clientPermissionNames: Record<ClientPermission, string> = { roster: '名册', gradebook: '成绩' };

export const tokenPath = '/ims/oneroster/token';
export const rosteringPath = '/ims/oneroster/rostering/v1p2';
export const gradebookPath = '/ims/oneroster/gradebook/v1p2';

export const docsPath = '/api/docs/oneroster';

/** Lifetime of a token in seconds. */
export const tokenLifetime = 60 * 60;

/** Rate limit per client: calls at once, and calls per second after that. */
export const clientRateLimit = { atOnce: 300, perSecond: 20 } as const;
/** Rate limit of token requests per IP address, against guessing of secrets. */
export const tokenRateLimit = { atOnce: 30, perSecond: 0.5 } as const;

/** Number of records per page: default and maximum. */
export const defaultLimit = 100;
export const maxLimit = 1000;

/**
 * Limits of query parameters: characters of a filter, of a field list and of a sort field, predicates of a filter,
 * characters of a filter value.
 */
export const maxFilter = 8000;
export const maxFields = 2000;
export const maxSort = 255;
export const maxPredicates = 100;
export const maxFilterValue = 500;
