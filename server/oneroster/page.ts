/** Reads a page of a resource, or one of its records. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { dayAfter, dayBefore } from '#server/import/formats/oneroster-days.ts';
import { encodeId } from '#server/import/formats/oneroster-ids.ts';
import { isDay } from '#server/platform/calls/rules.ts';
import { foldCase } from '#server/platform/db/search.ts';
import { dayStart } from '#server/school/calendar.ts';
import { type Operator, type Predicate, readFilter } from './filter.ts';
import { type Links, readId } from './links.ts';
import type { FieldType, ParentFilter, RecordSource, RequestContext, Resource, Row } from './record-source.ts';
import { defaultLimit, maxFields, maxFilter, maxFilterValue, maxLimit, maxPredicates, maxSort } from './rules.ts';
import { listSeparator } from './sessions.ts';
import { RosterRefusal } from './status.ts';

export interface PageQuery {
  limit: number;
  offset: number;
  sort: string | undefined;
  isDescending: boolean;
  filter: Predicate[][];
  /** Names of the fields to return; undefined: all. */
  fields: ReadonlySet<string> | undefined;
}

/** Field names of earlier versions that clients still use. */
const otherNames: Readonly<Record<string, string>> = { role: 'roles.role' };
const nameIn = (resource: Resource, field: string): string | undefined =>
  [field, otherNames[field] ?? field].find((name) => Object.hasOwn(resource.fields, name));

/** Parses the query. 400: an unreadable parameter. An unknown sort field is ignored, as the standard demands. */
export function readPageQuery(resource: Resource, query: URLSearchParams): PageQuery | RosterRefusal {
  const [limit, offset] = [
    parseWholeNumber(query.get('limit'), defaultLimit, 1),
    parseWholeNumber(query.get('offset'), 0, 0),
  ];
  if (limit === undefined) return new RosterRefusal('invaliddata', 'limit 应为大于0的整数');
  if (offset === undefined) return new RosterRefusal('invaliddata', 'offset 应为不小于0的整数');
  const order = query.get('orderBy') ?? 'asc';
  if (order !== 'asc' && order !== 'desc') return new RosterRefusal('invaliddata', 'orderBy 应为 asc 或 desc');
  const requested = query.get('filter');
  if ((requested?.length ?? 0) > maxFilter) {
    return new RosterRefusal('invalid_filter_field', `filter 不能超过${maxFilter}个字符`);
  }
  if ((query.get('sort')?.length ?? 0) > maxSort)
    return new RosterRefusal('invaliddata', `sort 不能超过${maxSort}个字符`);
  const filter = requested === null ? [] : readFilter(requested);
  if (!filter) {
    return new RosterRefusal('invalid_filter_field', 'filter 应写作 字段=‘值’，可用 =、!=、>、>=、<、<=、~ 和 AND、OR');
  }
  const predicates = filter.flat();
  if (predicates.length > maxPredicates) {
    return new RosterRefusal('invalid_filter_field', `filter 最多${maxPredicates}个条件`);
  }
  for (const { field, operator, value } of predicates) {
    if (value.length > maxFilterValue) {
      return new RosterRefusal('invalid_filter_field', `filter 的值不能超过${maxFilterValue}个字符`);
    }
    const name = nameIn(resource, field);
    const type = name === undefined ? undefined : resource.fields[name];
    if (!type) return new RosterRefusal('invalid_filter_field', `不能按“${field}”筛选`);
    const fault = valueFault(type, operator, value);
    if (fault) return new RosterRefusal('invalid_filter_field', `“${field}”${fault}`);
  }
  const fields = readFields(resource, query.get('fields'));
  if (fields instanceof RosterRefusal) return fields;
  return {
    limit: Math.min(limit, maxLimit),
    offset,
    sort: nameIn(resource, query.get('sort') ?? ''),
    isDescending: order === 'desc',
    filter,
    fields,
  };
}

/** Parses the list of fields to return. Unknown fields are ignored; if none is known, all are returned. */
export function readFields(resource: Resource, text: string | null): ReadonlySet<string> | undefined | RosterRefusal {
  if (text === null) return undefined;
  if (text.length > maxFields) {
    return new RosterRefusal('invalid_selection_field', `fields 不能超过${maxFields}个字符`);
  }
  const requested = text.split(',').map((one) => one.trim());
  if (requested.some((one) => one === '')) return new RosterRefusal('invalid_selection_field', 'fields 中有空的字段名');
  const heads = new Set(Object.keys(resource.fields).map(headOf));
  const known = requested.map(headOf).filter((one) => heads.has(one));
  return known.length === 0 ? undefined : new Set(known);
}

const headOf = (name: string): string => name.split('.', 1)[0] ?? name;

function parseWholeNumber(text: string | null, usual: number, least: number): number | undefined {
  if (text === null) return usual;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least ? number : undefined;
}

// ---- filter to SQL ----------------------------------------------------------------------------------

const momentOf = (value: string): number | undefined => {
  const isMoment =
    isDay(value.slice(0, 10)) &&
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value);
  const zoned = /T/.test(value) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value;
  const milliseconds = isMoment ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
};
function valueFault(type: FieldType, operator: Operator, value: string): string | undefined {
  if (type === 'text' || type === 'list') return undefined;
  if (operator === '~') return '不能用 ~ 筛选';
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(value) ? undefined : '的值应为数字';
  if (type === 'moment') return momentOf(value) === undefined ? '的值应为 ISO 8601 时间' : undefined;
  return isDay(value) ? undefined : '的值应为 yyyy-mm-dd';
}

const comparing = (column: Expression<unknown>, operator: Operator, value: unknown): RawBuilder<SqlBool> =>
  sql`${column} ${sql.raw(operator === '!=' ? '<>' : operator)} ${value}`;

function conditionOf(
  column: Expression<unknown> | undefined,
  { type, operator, value, timezone }: { type: FieldType; operator: Operator; value: string; timezone: string },
): RawBuilder<SqlBool> {
  if (type === 'text') {
    // A null counts as an empty text in comparisons.
    const text = sql`coalesce(${column ?? sql`null`}, '')`;
    if (operator !== '~') return comparing(text, operator, readId(value));
    return sql`lower(${text}) like ${`%${foldCase(value).replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
  }
  if (!column) return sql`1 = 0`;
  if (type === 'list') {
    const named = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const all = sql`${listSeparator} || ${column} || ${listSeparator}`;
    if (operator === '~') return sql`lower(${column}) like ${named(foldCase(value))} escape '\\'`;
    const isOne = sql`${all} like ${named(listSeparator + readId(value) + listSeparator)} escape '\\'`;
    if (operator === '=') return sql`(${isOne})`;
    return operator === '!=' ? sql`not (${isOne})` : comparing(column, operator, readId(value));
  }
  if (type === 'number') return comparing(column, operator, Number(value));
  if (type === 'moment') return comparing(column, operator, momentOf(value) ?? 0);
  if (type === 'day') return comparing(column, operator, value);
  if (type === 'nextDay') return comparing(column, operator, dayBefore(value));
  const [from, until] = [dayStart(value, timezone), dayStart(dayAfter(value), timezone)];
  const inDay = sql`${column} >= ${from} and ${column} < ${until}`;
  switch (operator) {
    case '=':
      return sql`(${inDay})`;
    case '!=':
      return sql`not (${inDay})`;
    case '>':
      return sql`${column} >= ${until}`;
    case '<=':
      return sql`${column} < ${until}`;
    default:
      return comparing(column, operator, from);
  }
}

function filterRows(
  { rows, columns }: RecordSource,
  resource: Resource,
  filter: Predicate[][],
  timezone: string,
): RecordSource['rows'] {
  if (filter.length === 0) return rows;
  const every = filter.map((predicates) => {
    const each = predicates.map(({ field, operator, value }) => {
      const name = nameIn(resource, field) ?? '';
      return conditionOf(columns[name], { type: resource.fields[name] ?? 'text', operator, value, timezone });
    });
    return sql`(${sql.join(each, sql` and `)})`;
  });
  return rows.where(sql<SqlBool>`(${sql.join(every, sql` or `)})`);
}

// ---- rows -------------------------------------------------------------------------------------------

const sqlTypes = {
  text: 'text',
  list: 'text',
  day: 'text',
  nextDay: 'text',
  number: 'numeric',
  daytime: 'bigint',
  moment: 'bigint',
} as const;

/** Selects all fields in the same order for each part, because `union all` needs that. */
function selectFields(resource: Resource, { columns }: RecordSource) {
  return Object.entries(resource.fields).map(([name, type]) => {
    const column = columns[name] ?? sql`null`;
    return sql`cast(${column} as ${sql.raw(sqlTypes[type])})`.as(name);
  });
}

export interface RecordPage {
  rows: Row[];
  total: number;
}

/** Returns a page. Without filter and sort order, the parts follow one another, each read along its index. */
export async function recordPage(
  requested: RequestContext,
  resource: Resource,
  within: ParentFilter,
  query: PageQuery,
): Promise<RecordPage> {
  const parts = resource.parts(requested, within).map((part) => ({
    part,
    rows: filterRows(part, resource, query.filter, requested.timezone),
  }));
  const counts = [];
  for (const { rows } of parts) {
    const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    counts.push(Number(count));
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (query.sort !== undefined) return { rows: await sortedRows(requested, resource, parts, query), total };
  const found: Row[] = [];
  let { offset, limit } = query;
  for (const [at, { part, rows }] of parts.entries()) {
    const count = counts[at] ?? 0;
    if (limit > 0 && offset < count) {
      let page = rows.select(selectFields(resource, part)).limit(limit).offset(offset);
      for (const column of part.order) page = page.orderBy(sql.ref(column));
      const next = (await page.execute()) as Row[];
      found.push(...next);
      limit -= next.length;
    }
    offset = Math.max(0, offset - count);
  }
  return { rows: found, total };
}

/** Sorts the rows of all parts together; rows with equal values are in the order of their ids. */
async function sortedRows(
  { db }: RequestContext,
  resource: Resource,
  parts: readonly { part: RecordSource; rows: RecordSource['rows'] }[],
  { sort = '', isDescending, limit, offset }: PageQuery,
): Promise<Row[]> {
  const [first, ...others] = parts.map(({ part, rows }) => rows.select(selectFields(resource, part)));
  if (!first) return [];
  const all = others.reduce((union, one) => union.unionAll(one), first);
  const [direction, places] = isDescending ? ['desc', 'last'] : ['asc', 'first'];
  return (await db
    .selectFrom(all.as('every_part'))
    .selectAll()
    .orderBy(sql`${sql.ref(sort)} ${sql.raw(direction)} nulls ${sql.raw(places)}`)
    .orderBy(sql.ref('sourcedId'))
    .orderBy(sql.ref('status'))
    .limit(limit)
    .offset(offset)
    .execute()) as Row[];
}

export interface FoundRecord {
  row: Row;
  /** Values of the row in the part's `order` columns. */
  keys: number[];
}

/** Finds a record by its id as the URL has it; undefined if there is none. */
export async function recordOf(
  requested: RequestContext,
  resource: Resource,
  within: ParentFilter,
  written: string,
): Promise<FoundRecord | undefined> {
  const id = readId(written);
  for (const part of resource.parts(requested, within)) {
    const place = await part.placed(id);
    if (!place) continue;
    const [row] = (await part.rows
      .select(selectFields(resource, part))
      .select(part.order.map((column, at) => sql.ref(column).as(`key${at}`)))
      .where(place)
      .where(sql<SqlBool>`${part.columns.sourcedId ?? sql`null`} = ${id}`)
      .limit(1)
      .execute()) as Row[];
    if (row) return { row, keys: part.order.map((_, at) => Number(row[`key${at}`])) };
  }
  return undefined;
}

export function recordJson(
  resource: Resource,
  row: Row,
  { links, timezone, fields }: { links: Links; timezone: string; fields: ReadonlySet<string> | undefined },
): Record<string, unknown> {
  const { sourcedId, status, dateLastModified } = row;
  const record: Record<string, unknown> = {
    sourcedId: encodeId(String(sourcedId)),
    status,
    dateLastModified: new Date(Number(dateLastModified) * 1000).toISOString(),
    ...resource.shape(row, { links, timezone }),
  };
  // Without a user name, the id serves as one.
  if (record.username === sourcedId) record.username = record.sourcedId;
  return fields ? Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name))) : record;
}
