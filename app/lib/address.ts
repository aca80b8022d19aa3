/** Writing and reading addresses; shared by screens, lists and dialogs. */
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
/** An address on this site; `Id` is the id of its screen or dialog. */
export type Address<Id extends string = string> = string & { readonly [whose]: Id };
/** The address type of a screen, list or dialog. */
export type AddressOf<Of> = Of extends Addressable<infer Id> ? Address<Id> : never;

export interface RoutePlace {
  /** Route id: the screen's name; for a dialog, the id of the screen below it plus its own path. */
  readonly id: string;
  /** The whole path, in the router's syntax. */
  readonly pattern: string;
  /** For a dialog the part of the path that it adds; for a screen the whole path. */
  readonly path: string;
  /** Route id of the screen below a dialog. */
  readonly under?: string;
}

/** Has a route of its own: a screen or dialog. */
export interface HasRouteFile {
  /** Route file, relative to the folder of the declaring `screens.ts`; without an extension it is a `.tsx`. */
  readonly file: string;
}

/** Has an address: a screen, list or dialog. Dialogs over it register themselves (registerOverlay). */
export interface Addressable<Id extends string = string> {
  readonly [whose]?: Id;
  readonly places: readonly RoutePlace[];
  /** Params that its address always has, such as the tab of a list. */
  readonly fixed?: SearchValues;
}

/** A dialog that can be open over a place. */
interface Overlay {
  isOpen(url: URL): boolean;
  behind(url: URL): string;
}
const overlays = new WeakMap<RoutePlace, Overlay[]>();

/** Registers a dialog over these places, so that their addresses can be read without it. */
export function registerOverlay(places: readonly RoutePlace[], overlay: Overlay): void {
  for (const place of places) overlays.set(place, [...(overlays.get(place) ?? []), overlay]);
}

/** Returns the address with any dialog over these places closed. */
export function withoutDialogs(places: readonly RoutePlace[], url: URL): URL {
  const open = places.flatMap((place) => overlays.get(place) ?? []).find((overlay) => overlay.isOpen(url));
  return open ? new URL(open.behind(url), url) : url;
}

/** Returns the current address without any dialog over it; used as the link back. */
export function currentAddress<Id extends string>({ places }: Addressable<Id>, url: URL): Address<Id> {
  const { pathname, search } = withoutDialogs(places, url);
  return (pathname + search) as Address<Id>;
}

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;
/** Types of the path params: ids of records unless declared otherwise. */
type PathParams<Path extends string, Search extends Entries> = {
  [Name in Exclude<ParamNames<Path>, keyof Search>]: number;
};
/** Declared params that are not in the path. */
export type SearchEntries<Path extends string, Search extends Entries> = Omit<Search, ParamNames<Path>>;

/** Params without a fallback: a link must give them. */
type RequiredNames<Search> = {
  [Name in keyof Search]: Search[Name] extends { readonly fallback: unknown } ? never : Name;
}[keyof Search];
export type ValuesOf<Search> = {
  [Name in keyof Search]: Search[Name] extends v.GenericSchema<unknown, unknown> ? v.InferOutput<Search[Name]> : never;
};
type LinkSearch<Search> = Pick<ValuesOf<Search>, RequiredNames<Search>> & {
  [Name in Exclude<keyof Search, RequiredNames<Search>>]?: ValuesOf<Search>[Name] | undefined;
};

/** Params that reading an address returns. */
export type AddressParams<Path extends string, Search extends Entries> = PathParams<Path, Search> & ValuesOf<Search>;
/** Params that a link takes. */
export type LinkParams<Path extends string, Search extends Entries> = PathParams<Path, Search> & LinkSearch<Search>;
export type LinkArguments<Values> = Record<never, never> extends Values ? [values?: Values] : [values: Values];

export interface ScreenOptions {
  /** Message of the 404 if a required param is missing or invalid. */
  missing?: string;
  /** True to render without the frame: files, API calls, pages for signed-out users. */
  bare?: boolean;
  /** True if its forms may upload files. */
  files?: boolean;
  /** True to allow forms over 1 MB, which carry a whole document along. */
  largeForm?: boolean;
}

export const notFoundMessage = '您访问的页面不存在';
/** Error for a request that no form of a screen sends. */
export const badRequestMessage = '请求无法处理，请返回后重试';

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** Splits the declared params into those in the path and search params. */
export function splitEntries(path: string, declared: Entries): { inPath: Entries; search: Entries } {
  const names = namesIn(path);
  return {
    inPath: Object.fromEntries(names.map((name) => [name, declared[name] ?? ScreenId])),
    search: Object.fromEntries(Object.entries(declared).filter(([name]) => !names.includes(name))),
  };
}

export interface PathMatch {
  place: RoutePlace;
  /** The part of the path that belongs to the place, without a dialog's. */
  pathname: string;
  inPath: Record<string, string>;
}

/**
 * Returns a function that matches a path to one of these places, or to a dialog over it.
 * @param declared path params that are no ids; other params match only ids, so that a word there is another address
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
      const inPath = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
      longest = { place, pathname: match[0], inPath: Object.fromEntries(inPath) as Record<string, string> };
    }
    return longest;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Derived from a declaration. Cached, since a page writes hundreds of links. */
interface Known {
  names: string[];
  usual: Record<string, string>;
  /** Names of params with several values. */
  lists: string[];
  schema: v.GenericSchema<unknown, unknown>;
}
const knownOf = new WeakMap<Entries, Known>();

function known(search: Entries): Known {
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

/** Formats search params as `?a=1&b=2` in declared order, without empty and default ones. */
export function searchOf(search: Entries, values: SearchValues): string {
  const { names, usual: usually } = known(search);
  return formatQuery(names, (name) => usually[name] ?? '', values);
}

/** The part of a screen that linkTo needs. */
export interface LinkTarget {
  readonly pattern: string;
  readonly search: Entries;
}

/** A screen's URL template, for code that must not import its declaration. */
export const linkTo = ({ pattern, search }: LinkTarget): Link => ({ path: pattern, usual: known(search).usual });

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

/** Default of a param, as an address would write it. */
export const defaultOf = (schema: v.GenericSchema<unknown, unknown>): string =>
  formatValue(v.getFallback(schema) as SearchValue);

/** Rows per page at most: more are slow, on the server and on school PCs. */
const maxRows = 200;

/**
 * Reads search params. If one is repeated the last counts, as after a checkbox with a hidden 0; lists take all values.
 */
export function readSearch(
  search: Entries,
  url: URL,
  missing = notFoundMessage,
  inPath: Record<string, string> = {},
): SearchValues {
  const values = { ...Object.fromEntries(url.searchParams), ...inPath };
  const { lists, schema } = known(search);
  for (const name of lists) values[name] = url.searchParams.getAll(name).join(',');
  if (Number(values.limit) > maxRows) values.limit = String(maxRows);
  const read = v.safeParse(schema, values);
  // A plain Response, not the router's `data`: islands run without the router and must not bundle it.
  if (!read.success) throw Response.json({ msg: missing }, { status: 404 });
  return read.output as SearchValues;
}
