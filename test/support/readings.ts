/** Requests of every read call, with sample values and ids of records. */

import { subjects } from '#server/api.ts';
import { type AnyCall, pathOfAnyRole } from '#server/platform/calls/call.ts';
import { type Identity, pathForIdentity } from '#server/school/call.ts';
import type { Ids } from './record-ids.ts';
import { type ApiRequest, definedEntries, withQuery } from './requests.ts';
import { sampleValues } from './sample-values.ts';

export const readingCalls: AnyCall[] = subjects.flatMap(({ calls }) =>
  calls.map(({ call }) => call).filter((call) => !call.changes),
);

/** The call's first path; administrators' calls with the prefix, since other roles share their paths. */
const nameOf = (call: AnyCall): string =>
  call.roles?.length === 1 ? `${call.roles[0]}/${pathOfAnyRole(call)}` : pathOfAnyRole(call);

/** Lists read calls without sample values, and sample values without a call. */
export function uncoveredReadings(): string[] {
  const known = new Set(Object.keys(sampleValues));
  const declared = new Set(readingCalls.map(nameOf));
  return [...declared].filter((name) => !known.has(name)).concat([...known].filter((name) => !declared.has(name)));
}

const fillPath = (path: string, given: readonly unknown[]): string => {
  let at = 0;
  return path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part;
      const value = given[at];
      at += 1;
      // Without a record of that kind: another person's id, which answers 404.
      return value === undefined ? (part.endsWith('?') ? '' : '1') : String(value);
    })
    .join('/')
    .replace(/\/$/, '');
};

/** Field names of an object schema, also behind a pipe. */
function fieldsOf(schema: unknown): string[] {
  const { entries, pipe } = (schema ?? {}) as { entries?: object; pipe?: unknown[] };
  return entries ? Object.keys(entries) : pipe ? fieldsOf(pipe[0]) : [];
}

/**
 * Lists the addresses of a call for a person: without filters, and with `filters` also with each filter alone. Empty if
 * the role lacks the call.
 */
export function readRequests(call: AnyCall, role: Identity, ids: Ids, each: 'plain' | 'filters'): ApiRequest[] {
  const path = pathForIdentity(call, role);
  const valuesOf = sampleValues[nameOf(call)];
  if (path === undefined || !valuesOf) return [];
  const { method } = call;
  const unfiltered = valuesOf(ids).map(({ path: given = [], query, body }): ApiRequest => {
    const address = withQuery(fillPath(path, given), call.query ? definedEntries(query) : []);
    return method === 'GET' ? { method, address } : { method, address, body: Object.fromEntries(definedEntries(body)) };
  });
  const [first] = unfiltered;
  if (!first || each === 'plain') return unfiltered;
  const filters = fieldsOf(call.query ?? call.body).flatMap((name) =>
    ['1', '一'].map((value): [string, unknown] => [name, value]),
  );
  const [start = '', ownQuery] = first.address.split('?');
  const own = [...new URLSearchParams(ownQuery)];
  const filtered = filters
    .filter(([name]) => method === 'GET' && !own.some(([taken]) => taken === name))
    .map((filter): ApiRequest => ({ method, address: withQuery(start, [...own, filter]) }));
  const posted = filters
    .filter(([name]) => method !== 'GET' && !(name in (first.body as object)))
    .map(([name, value]): ApiRequest => ({ ...first, body: { ...(first.body as object), [name]: value } }));
  return [...unfiltered, ...filtered, ...posted];
}
