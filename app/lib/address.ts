/** How addresses are written and read: what screens, lists and dialogs have in common. */
import * as v from 'valibot';
import { type Link, pathOf, queryFor, queryOf, searchIn, type Value, type Values, written } from './link.ts';
import { ScreenId } from './search.ts';

export type Entries = Record<string, v.GenericSchema<unknown, unknown>>;

declare const whose: unique symbol;
/** An address of ours; `Id` names the screen that it is of, or the dialog. */
export type Address<Id extends string = string> = string & { readonly [whose]: Id };
/** The addresses of a screen, a list or a dialog. */
export type AddressOf<Of> = Of extends Addressable<infer Id> ? Address<Id> : never;

/** Where a route stands. */
export interface Place {
  /** The route's id: the screen's name; that of a dialog begins with the id of what it opens over. */
  readonly id: string;
  /** The whole path, as the router takes it. */
  readonly pattern: string;
  /** What a dialog adds to the path of what it opens over; of a screen the whole. */
  readonly path: string;
  /** The id of what a dialog opens over. */
  readonly under?: string;
}

/** What has a route of its own: a screen, a dialog. */
export interface Routed {
  /** The file of its route, from the folder of the `screens.ts` that declares it; without an ending it is a `.tsx`. */
  readonly file: string;
}

/** What has an address: a screen, a list, a dialog. What opens over it says so when it is declared. */
export interface Addressable<Id extends string = string> {
  readonly [whose]?: Id;
  readonly places: readonly Place[];
  /** What its address always says, such as the tab of a list. */
  readonly fixed?: Values;
}

/** What opens over places and is declared with them. */
interface Overlay {
  isOpen(url: URL): boolean;
  behind(url: URL): string;
}
const overlays = new WeakMap<Place, Overlay[]>();

/** Said by what opens over places, so that whatever stands there can be read without it. */
export function opensOver(places: readonly Place[], overlay: Overlay): void {
  for (const place of places) overlays.set(place, [...(overlays.get(place) ?? []), overlay]);
}

/** An address without whichever dialog is open over these places: what is read there is as it was before. */
export function beneath(places: readonly Place[], url: URL): URL {
  const open = places.flatMap((place) => overlays.get(place) ?? []).find((overlay) => overlay.isOpen(url));
  return open ? new URL(open.behind(url), url) : url;
}

/** That address itself: what is shown there, to be led back to. */
export function shownAt<Id extends string>({ places }: Addressable<Id>, url: URL): Address<Id> {
  const { pathname, search } = beneath(places, url);
  return (pathname + search) as Address<Id>;
}

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;
/** What the path says: the id of a record, unless it is declared as something else. */
type PathParams<Path extends string, Search extends Entries> = {
  [Name in Exclude<ParamNames<Path>, keyof Search>]: number;
};
/** What is declared, without what stands in the path. */
export type SearchEntries<Path extends string, Search extends Entries> = Omit<Search, ParamNames<Path>>;

/** What must be given: a param that means something else, or nothing, when it is missing. */
type RequiredNames<Search> = {
  [Name in keyof Search]: Search[Name] extends { readonly fallback: unknown } ? never : Name;
}[keyof Search];
export type ValuesOf<Search> = {
  [Name in keyof Search]: Search[Name] extends v.GenericSchema<unknown, unknown> ? v.InferOutput<Search[Name]> : never;
};
type LinkSearch<Search> = Pick<ValuesOf<Search>, RequiredNames<Search>> & {
  [Name in Exclude<keyof Search, RequiredNames<Search>>]?: ValuesOf<Search>[Name] | undefined;
};

/** What an address says. */
export type Params<Path extends string, Search extends Entries> = PathParams<Path, Search> & ValuesOf<Search>;
/** What is said to make one. */
export type LinkParams<Path extends string, Search extends Entries> = PathParams<Path, Search> & LinkSearch<Search>;
export type Args<Values> = Record<never, never> extends Values ? [values?: Values] : [values: Values];

/** What a declaration says beside its path and its params. */
export interface Options {
  /** The sentence of the 404 where a required param is missing or is none. */
  missing?: string;
  /** Stands in no frame: a file, a call of the API, a page of somebody who has not signed in. */
  bare?: boolean;
  /** Its forms may hold files. */
  files?: boolean;
  /** Its forms are larger than others: they carry along what somebody is working on. */
  largeForm?: boolean;
}

export const notThere = '您访问的页面不存在';
/** Of what no form of a screen sends. */
export const notTaken = '请求无法处理，请返回后重试';

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** What of a declaration stands in the path, and what in the search params. */
export function splitEntries(path: string, declared: Entries): { inPath: Entries; search: Entries } {
  const names = namesIn(path);
  return {
    inPath: Object.fromEntries(names.map((name) => [name, declared[name] ?? ScreenId])),
    search: Object.fromEntries(Object.entries(declared).filter(([name]) => !names.includes(name))),
  };
}

export interface PathMatch {
  place: Place;
  /** Its own part of the path: what opens over it goes on below. */
  pathname: string;
  inPath: Record<string, string>;
}

/**
 * Looks for which of these places a path is of, or of something over it.
 * @param declared what the params of the path are; others are ids, so that a word in their place is another address
 */
export function finderOf(places: readonly Place[], declared?: Entries): (pathname: string) => PathMatch | undefined {
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

/** What follows from a declaration, found out once: a page writes hundreds of links. */
interface Known {
  names: string[];
  usual: Record<string, string>;
  /** Of these all that an address says are taken. */
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
      usual: Object.fromEntries(entries.map(([name, schema]) => [name, usual(schema)])),
      lists: entries.filter(([, schema]) => Array.isArray(v.getFallback(schema))).map(([name]) => name),
      schema: v.object(search),
    };
    knownOf.set(search, of);
  }
  return of;
}

/** `?a=1&b=2` in the order of the declaration, without what is blank or usual. */
export function searchOf(search: Entries, values: Values): string {
  const { names, usual: usually } = known(search);
  return queryFor(names, (name) => usually[name] ?? '', values);
}

/** What a link is made from: a screen. */
export interface Linked {
  readonly pattern: string;
  readonly search: Entries;
}

/** A screen's address for who writes it without its declaration. */
export const linkTo = ({ pattern, search }: Linked): Link => ({ path: pattern, usual: known(search).usual });

/** The same of a dialog over a screen. */
export const linkOver = (screen: Linked, dialog: Addressable & { search: Entries }): Link =>
  linkTo({
    pattern: `${screen.pattern}/${dialog.places[0]?.path}`,
    search: Object.assign({}, screen.search, dialog.search),
  });

/** An address that says this too. */
export function withParams(address: string, search: Entries, values: Values): string {
  const params = new URLSearchParams(searchIn(address));
  for (const [name, value] of new URLSearchParams(searchOf(search, values))) params.set(name, value);
  return pathOf(address) + queryOf(params);
}

/** What a missing param means, as an address would have it. */
export const usual = (schema: v.GenericSchema<unknown, unknown>): string => written(v.getFallback(schema) as Value);

/** Rows of one page: more are slow to draw, here and on a school's PCs, and the pager leads to the rest. */
const maxRows = 200;

/** Of a param that comes several times the last one counts, as after a box that sends 0 first; a list takes them all. */
export function readSearch(search: Entries, url: URL, missing = notThere, inPath: Record<string, string> = {}): Values {
  const values = { ...Object.fromEntries(url.searchParams), ...inPath };
  const { lists, schema } = known(search);
  for (const name of lists) values[name] = url.searchParams.getAll(name).join(',');
  if (Number(values.limit) > maxRows) values.limit = String(maxRows);
  const read = v.safeParse(schema, values);
  // Not the router's own: islands run without a router, and must not bring it with them.
  if (!read.success) throw Response.json({ msg: missing }, { status: 404 });
  return read.output as Values;
}
