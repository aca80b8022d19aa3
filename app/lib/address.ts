/** Writes and reads addresses, for screens, lists and dialogs. */
import * as v from 'valibot';
import {
  encodeQuery,
  formatQuery,
  formatValue,
  type Link,
  pathOf,
  type SearchValue,
  type SearchValues,
  searchPartOf,
} from './link.ts';
import { ScreenId } from './search.ts';

export type Entries = Record<string, v.GenericSchema<unknown, unknown>>;

declare const whose: unique symbol;
/** An address on this site. `Id` is the id of its screen or dialog. */
export type Address<Id extends string = string> = string & { readonly [whose]: Id };
/** Type of the addresses of a screen, list or dialog. */
export type AddressOf<Of> = Of extends Addressable<infer Id> ? Address<Id> : never;

export interface RoutePlace {
  /** Route id: the name of a screen, or for a dialog the id of the screen below it plus the dialog's own path. */
  readonly id: string;
  /** The whole path, in the router's syntax. */
  readonly pattern: string;
  /** The part of the path that a dialog adds. For a screen, the whole path. */
  readonly path: string;
  /** Route id of the screen below a dialog. */
  readonly under?: string;
}

/** A screen or dialog: it has a route of its own. */
export interface HasRouteFile {
  /**
   * Route file, relative to the folder of the `screens.ts` that declares it. A file without an extension is a `.tsx`.
   */
  readonly file: string;
}

/** A screen, list or dialog: it has an address. Dialogs that open over it register themselves (registerOverlay). */
export interface Addressable<Id extends string = string> {
  readonly [whose]?: Id;
  readonly places: readonly RoutePlace[];
  /** Parameters that the address always has, such as the tab of a list. */
  readonly fixed?: SearchValues;
}

/** A dialog that can be open over a screen. */
interface Overlay {
  isOpen(url: URL): boolean;
  behind(url: URL): string;
}
const overlays = new WeakMap<RoutePlace, Overlay[]>();

/** Registers a dialog that opens over these places, so that their addresses can be read while it is open. */
export function registerOverlay(places: readonly RoutePlace[], overlay: Overlay): void {
  for (const place of places) overlays.set(place, [...(overlays.get(place) ?? []), overlay]);
}

/** Returns the address without a dialog that is open over these places. */
export function withoutDialogs(places: readonly RoutePlace[], url: URL): URL {
  const open = places.flatMap((place) => overlays.get(place) ?? []).find((overlay) => overlay.isOpen(url));
  return open ? new URL(open.behind(url), url) : url;
}

/** Returns the current address without an open dialog. Links back lead to it. */
export function currentAddress<Id extends string>({ places }: Addressable<Id>, url: URL): Address<Id> {
  const { pathname, search } = withoutDialogs(places, url);
  return (pathname + search) as Address<Id>;
}

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;
/** Types of the path parameters: record ids, unless declared otherwise. */
type PathParams<Path extends string, Search extends Entries> = {
  [Name in Exclude<ParamNames<Path>, keyof Search>]: number;
};
/** Types of the declared parameters that are not in the path. */
export type SearchEntries<Path extends string, Search extends Entries> = Omit<Search, ParamNames<Path>>;

/** Names of the parameters without a fallback: every link must give them. */
type RequiredNames<Search> = {
  [Name in keyof Search]: Search[Name] extends { readonly fallback: unknown } ? never : Name;
}[keyof Search];
export type ValuesOf<Search> = {
  [Name in keyof Search]: Search[Name] extends v.GenericSchema<unknown, unknown> ? v.InferOutput<Search[Name]> : never;
};
type LinkSearch<Search> = Pick<ValuesOf<Search>, RequiredNames<Search>> & {
  [Name in Exclude<keyof Search, RequiredNames<Search>>]?: ValuesOf<Search>[Name] | undefined;
};

/** Parameters that reading an address returns. */
export type AddressParams<Path extends string, Search extends Entries> = PathParams<Path, Search> & ValuesOf<Search>;
/** Parameters that a link takes. */
export type LinkParams<Path extends string, Search extends Entries> = PathParams<Path, Search> & LinkSearch<Search>;
export type LinkArguments<Values> = Record<never, never> extends Values ? [values?: Values] : [values: Values];

export interface ScreenOptions {
  /** Message of the 404 page if a required parameter is missing or invalid. */
  missing?: string;
  /** True to render without the frame: for files, API calls, and pages for signed-out users. */
  bare?: boolean;
  /** True if forms of the screen may upload files. */
  files?: boolean;
  /** True to allow forms over 1 MB, for forms that carry a whole document. */
  largeForm?: boolean;
}

export const notFoundMessage = '您访问的页面不存在';
/** Error for a request that no form of a screen would send. */
export const badRequestMessage = '请求无法处理，请返回后重试';

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** Splits the declared parameters into path and search parameters. */
export function splitEntries(path: string, declared: Entries): { inPath: Entries; search: Entries } {
  const names = namesIn(path);
  return {
    inPath: Object.fromEntries(names.map((name) => [name, declared[name] ?? ScreenId])),
    search: Object.fromEntries(Object.entries(declared).filter(([name]) => !names.includes(name))),
  };
}

export interface PathMatch {
  place: RoutePlace;
  /** The part of the path that belongs to the place, without the part of a dialog over it. */
  pathname: string;
  inPath: Record<string, string>;
}

/**
 * Returns a function that matches a path to one of these places, or to a dialog over it. @param declared path
 * parameters that are not record ids. All others match only ids, so that a word in their position belongs to another
 * address
 */
export function pathFinder(
  places: readonly RoutePlace[],
  declared?: Entries,
): (pathname: string) => PathMatch | undefined {
  const known = places.map((place) => {
    const { pattern, path } = place;
    const before = pattern.slice(0, pattern.length - path.length).replace(/:\w+/g, '[^/]+');
    const text = (name: string) => (declared && !(name in declared) ? '\\d+' : '[^/]+');
    const own = path.replace(/:(\w+)/g, (_, name: string) => `(?<${name}>${text(name)})`).replace('*', '.*');
    return { place, pattern: new RegExp(`^${before}${own}(?=/|$)`, 'i') };
  });
  return (pathname) => {
    let longest: PathMatch | undefined;
    for (const { place, pattern } of known) {
      const match = pattern.exec(pathname);
      if (!match || (longest && longest.pathname.length >= match[0].length)) continue;
      const inPath = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeLeniently(text)]);
      longest = { place, pathname: match[0], inPath: Object.fromEntries(inPath) as Record<string, string> };
    }
    return longest;
  };
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Facts derived from a declaration of parameters. Cached, because a page writes hundreds of links. */
interface SearchSchema {
  names: string[];
  usual: Record<string, string>;
  /** Names of the parameters that have several values. */
  lists: string[];
  schema: v.GenericSchema<unknown, unknown>;
}
const knownOf = new WeakMap<Entries, SearchSchema>();

function cachedSchema(search: Entries): SearchSchema {
  let of = knownOf.get(search);
  if (!of) {
    const entries = Object.entries(search);
    of = {
      names: Object.keys(search),
      usual: Object.fromEntries(entries.map(([name, schema]) => [name, defaultOf(schema)])),
      lists: entries.filter(([, schema]) => Array.isArray(v.getFallback(schema))).map(([name]) => name),
      schema: v.object(search),
    };
    knownOf.set(search, of);
  }
  return of;
}

/** Formats search parameters as `?a=1&b=2` in the declared order. Leaves out empty and default values. */
export function searchOf(search: Entries, values: SearchValues): string {
  const { names, usual: usually } = cachedSchema(search);
  return formatQuery(names, (name) => usually[name] ?? '', values);
}

/** The part of a screen that linkTo needs. */
export interface LinkTarget {
  readonly pattern: string;
  readonly search: Entries;
}

/** URL template of a screen, for code that must not import the screen's declaration. */
export const linkTo = ({ pattern, search }: LinkTarget): Link => ({ path: pattern, usual: cachedSchema(search).usual });

/** URL template of a dialog over a screen. */
export const linkOver = (screen: LinkTarget, dialog: Addressable & { search: Entries }): Link =>
  linkTo({
    pattern: `${screen.pattern}/${dialog.places[0]?.path}`,
    search: Object.assign({}, screen.search, dialog.search),
  });

export function withParams(address: string, search: Entries, values: SearchValues): string {
  const params = new URLSearchParams(searchPartOf(address));
  for (const [name, value] of new URLSearchParams(searchOf(search, values))) params.set(name, value);
  return pathOf(address) + encodeQuery(params);
}

/** Default of a parameter, as an address would write it. */
export const defaultOf = (schema: v.GenericSchema<unknown, unknown>): string =>
  formatValue(v.getFallback(schema) as SearchValue);

/** Maximum rows per page. More would be slow, on the server and on school PCs. */
const maxRows = 200;

/**
 * Reads search parameters. The last value of a repeated parameter counts (a checkbox follows a hidden 0); lists take
 * all values.
 */
export function readSearch(
  search: Entries,
  url: URL,
  missing = notFoundMessage,
  inPath: Record<string, string> = {},
): SearchValues {
  const values = { ...Object.fromEntries(url.searchParams), ...inPath };
  const { lists, schema } = cachedSchema(search);
  for (const name of lists) values[name] = url.searchParams.getAll(name).join(',');
  if (Number(values.limit) > maxRows) values.limit = String(maxRows);
  const read = v.safeParse(schema, values);
  // Throws a plain Response, not the router's `data`: islands run without the router and must not bundle it.
  if (!read.success) throw Response.json({ msg: missing }, { status: 404 });
  return read.output as SearchValues;
}
