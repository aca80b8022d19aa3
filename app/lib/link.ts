/**
 * Writes addresses without the declarations of their screens, which would import every contract that they name.
 * Hydrated code gets its links as data, and reads no addresses.
 */
export type SearchValue = string | number | boolean | readonly (string | number)[] | undefined;
export type SearchValues = Record<string, SearchValue>;

/** URL template of a screen. It can be serialised as JSON. */
export interface Link {
  readonly path: string;
  /** Search parameters in order, with their defaults. */
  readonly usual: Readonly<Record<string, string>>;
}

export const hrefOf = ({ path, usual }: Link, values: SearchValues = {}): string =>
  fillPath(path, values) + formatQuery(Object.keys(usual), (name) => usual[name] ?? '', values);

export const pathOf = (address: string): string => /^[^?#]*/.exec(address)?.[0] ?? '';

/** Returns the search part of an address, including the question mark. */
export const searchPartOf = (address: string): string => /\?[^#]*/.exec(address)?.[0] ?? '';

export function fillPath(path: string, values: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** Matches text that needs no encoding. */
const plain = /^[\w.,-]*$/;

/** Formats parameters as `?a=1&b=2`. Leaves out empty and default values. */
export function formatQuery(names: readonly string[], usualOf: (name: string) => string, values: SearchValues): string {
  let query = '';
  for (const name of names) {
    const text = formatValue(values[name]);
    // Fast path: most links have few parameters, mostly numbers.
    if (text === '' || text === usualOf(name)) continue;
    const pair = plain.test(text) ? `${name}=${text}` : encodeQuery(new URLSearchParams([[name, text]])).slice(1);
    query += `${query === '' ? '?' : '&'}${pair}`;
  }
  return query;
}

/** Formats search parameters. Commas stay unencoded, so that lists of ids are short and readable. */
export function encodeQuery(params: URLSearchParams): string {
  // Does not use `params.size`, which needs Chrome 113.
  const query = params.toString();
  return query === '' ? '' : `?${query.replaceAll('%2C', ',')}`;
}

/** Formats a value for an address: a boolean as 1 or 0, list items with commas, undefined as ''. */
export function formatValue(value: SearchValue): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}
