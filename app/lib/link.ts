/**
 * How addresses are written. Reading them needs their declaration, which brings every contract that it names: what client
 * JS takes over is given the links that it writes, and reads none.
 */
export type Value = string | number | boolean | readonly (string | number)[] | undefined;
export type Values = Record<string, Value>;

/** A screen's address, as data. */
export interface Link {
  readonly path: string;
  /** Its search params in their order, each with what it means where it is missing. */
  readonly usual: Readonly<Record<string, string>>;
}

export const hrefOf = ({ path, usual }: Link, values: Values = {}): string =>
  filled(path, values) + queryFor(Object.keys(usual), (name) => usual[name] ?? '', values);

/** The path of an address. */
export const pathOf = (address: string): string => /^[^?#]*/.exec(address)?.[0] ?? '';

/** The search params of an address, with their question mark. */
export const searchIn = (address: string): string => /\?[^#]*/.exec(address)?.[0] ?? '';

/** The path with its params in their places, percent-encoded. */
export function filled(path: string, values: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** What stands in an address as it is. */
const plain = /^[\w.,-]*$/;

/** `?a=1&b=2` of these params, without what is blank or usual. */
export function queryFor(names: readonly string[], usualOf: (name: string) => string, values: Values): string {
  let query = '';
  for (const name of names) {
    const text = written(values[name]);
    // Most links of a page say little of what their screen could be told, and in figures.
    if (text === '' || text === usualOf(name)) continue;
    const said = plain.test(text) ? `${name}=${text}` : queryOf(new URLSearchParams([[name, text]])).slice(1);
    query += `${query === '' ? '?' : '&'}${said}`;
  }
  return query;
}

/** With plain commas: a list of ids is short and can be read. */
export function queryOf(params: URLSearchParams): string {
  // Not by their `size`, which Chrome knows from 113 on.
  const query = params.toString();
  return query === '' ? '' : `?${query.replaceAll('%2C', ',')}`;
}

/** As an address has it: a flag as 1 or 0, several with commas between them, nothing as ''. */
export function written(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}
