/** Search params: the state of every list (design, section 4). */
import * as v from 'valibot';

/** Reads a list's filter; blanks and nonsense are dropped by its schema, never an error page. */
export function readSearch<S extends v.GenericSchema<unknown, unknown>>(
  schema: S,
  params: URLSearchParams,
): v.InferOutput<S> {
  return v.parse(schema, Object.fromEntries(params));
}

type Value = string | number | undefined;

/** `?a=1&b=2` of what is given, or nothing; undefined and blank are left out. */
export function searchOf(values: Record<string, Value>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') params.set(name, String(value));
  return params.size > 0 ? `?${params}` : '';
}

/** A list's filter as search params: page 1 and the usual page length are left out. */
export function listSearch(
  filter: Record<string, Value>,
  changes: Record<string, Value> = {},
  usualLimit = 20,
): string {
  const merged = { ...filter, ...changes };
  return searchOf({
    ...merged,
    page: merged.page === 1 ? undefined : merged.page,
    limit: merged.limit === usualLimit ? undefined : merged.limit,
  });
}

/** Whether a box that is on by default is on: the last value of its name counts, and none means on. */
export const isUsuallyOn = (params: URLSearchParams, name: string): boolean => params.getAll(name).at(-1) !== '0';
