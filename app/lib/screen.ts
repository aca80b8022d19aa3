/**
 * Where a screen stands and what its address says, declared once, as a call of the API is: the route, every link to
 * it, every redirect and the reading of its search params follow from the declaration. Each subject has its own in
 * `screens.ts`.
 */
import * as v from 'valibot';
import { safeRedirect } from './safe-redirect.ts';

type Entries = Record<string, v.GenericSchema<unknown, unknown>>;
type Value = string | number | boolean | readonly (string | number)[] | undefined;
type Values = Record<string, Value>;

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;
type PathValues<Path extends string> = { [Name in ParamNames<Path>]: number | string };

/** What must be given: a param that means something else, or nothing, when it is missing. */
type Required<Search extends Entries> = {
  [Name in keyof Search]: Search[Name] extends { readonly fallback: unknown } ? never : Name;
}[keyof Search];
type Read<Search extends Entries> = { [Name in keyof Search]: v.InferOutput<Search[Name]> };
type Given<Search extends Entries> = Pick<Read<Search>, Required<Search>> & {
  [Name in Exclude<keyof Search, Required<Search>>]?: Read<Search>[Name] | undefined;
};

export type Link<Path extends string, Search extends Entries> = PathValues<Path> & Given<Search>;
type Args<Given> = Record<never, never> extends Given ? [values?: Given] : [values: Given];

export interface Screen<Path extends string = string, Search extends Entries = Entries> {
  /** The route's id: the screen's name. */
  readonly id: string;
  /** As the router takes it. */
  readonly path: Path;
  readonly search: Search;
  /** The address; what is usual there is left out. */
  href(...values: Args<Link<Path, Search>>): string;
  /** What an address says. Nonsense is dropped; without what must be there it is an error page of 404. */
  at(url: URL): Read<Search>;
}

/**
 * @param missing the sentence of the 404 where a required param is missing or is none
 */
/* @__NO_SIDE_EFFECTS__ */
export function screen<const Path extends string, const Search extends Entries = Record<never, never>>(
  id: string,
  path: Path,
  search: Search = {} as Search,
  missing = '您访问的页面不存在',
): Screen<Path, Search> {
  return {
    id,
    path,
    search,
    href: (...[values]) => filled(path, values ?? {}) + searchOf(search, (values ?? {}) as Values),
    at: (url) => readSearch(search, url, missing) as Read<Search>,
  };
}

/** The path with its params in their places, percent-encoded. */
function filled(path: string, values: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** `?a=1&b=2` in the order of the declaration, without what is blank or usual. */
function searchOf(search: Entries, values: Values): string {
  const params = new URLSearchParams();
  for (const [name, schema] of Object.entries(search)) {
    const text = written(values[name]);
    if (text !== '' && text !== usual(schema)) params.set(name, text);
  }
  return queryOf(params);
}

/** With plain commas: a list of ids is short and can be read. */
const queryOf = (params: URLSearchParams): string =>
  params.size > 0 ? `?${params.toString().replaceAll('%2C', ',')}` : '';

/** What a missing param means, as an address would have it. */
const usual = (schema: v.GenericSchema<unknown, unknown>): string => written(v.getFallback(schema) as Value);

/** As an address has it: a flag as 1 or 0, several with commas between them, nothing as ''. */
function written(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}

/** Rows of one page: more are slow to draw, here and on a school's PCs, and the pager leads to the rest. */
const rowsMost = 200;

/** Of a param that comes several times the last one counts, as after a box that sends 0 first; a list takes them all. */
function readSearch(search: Entries, url: URL, missing: string): Values {
  const values = Object.fromEntries(url.searchParams);
  for (const [name, schema] of Object.entries(search)) {
    if (Array.isArray(v.getFallback(schema))) values[name] = url.searchParams.getAll(name).join(',');
  }
  if (Number(values.limit) > rowsMost) values.limit = String(rowsMost);
  const read = v.safeParse(v.object(search), values);
  // Not the router's own: islands run without a router, and must not bring it with them.
  if (!read.success) throw Response.json({ msg: missing }, { status: 404 });
  return read.output as Values;
}

// ---- what search params say --------------------------------------------------------------------

/** The record that a screen is about. */
export const ScreenId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/), v.transform(Number));

/** A record that may be named as well; what is no id is dropped. */
export const MaybeId = v.fallback(v.optional(ScreenId), undefined);

/** A record, or 0 where it is about all of them; an address always says which. */
export const ScreenIdOrAll = v.optional(v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,9})?$/), v.transform(Number)), '0');

/** One of a few words or numbers, such as a tab; anything else is the usual one. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Word extends string | number>(words: readonly Word[], usual: NoInfer<Word>) {
  const said = (text: string) => words.find((word) => String(word) === text) ?? usual;
  return v.fallback(v.optional(v.pipe(v.string(), v.transform(said)), String(usual)), usual as Word);
}

/** One of a few words, or none. */
/* @__NO_SIDE_EFFECTS__ */
export function maybeOneOf<const Word extends string>(words: readonly Word[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** A number from 1 on, such as that of a page, or the usual one. */
/* @__NO_SIDE_EFFECTS__ */
export function countFrom(usual: number) {
  return v.fallback(v.optional(ScreenId, String(usual)), usual);
}

/** A box that is ticked where the address says 1. */
export const Ticked = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text === '1'),
    ),
    '0',
  ),
  false,
);

/** A box that is ticked unless the address says 0. Its form sends 0 before the box's own 1, and the last one counts. */
export const UsuallyTicked = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text !== '0'),
    ),
    '1',
  ),
  true,
);

/** A moment as a date field has it, `yyyy-mm-ddThh:mm`, or unix seconds; `readMoment` reads it in the school's zone. */
export const MomentText = v.fallback(
  v.optional(v.pipe(v.string(), v.regex(/^(\d{1,11}|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?)$/))),
  undefined,
);

/**
 * Where a screen was entered from, and leads back to: a page of ours in at most 1,500 printable ASCII characters,
 * anything else is dropped.
 */
export const OwnAddress = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/[!-~]{0,1500}$/),
      v.transform((to) => safeRedirect(to, '') || undefined),
    ),
  ),
  undefined,
);

// ---- lists -------------------------------------------------------------------------------------

type Filter = v.ObjectSchema<Entries, undefined>;
type FilterEntries<F> = F extends v.ObjectSchema<infer E extends Entries, undefined> ? E : never;

/** Of a filter that orders or cuts the list, and narrows nothing. */
const arranging = ['page', 'limit', 'sort', 'sort_field'];

export interface ListScreen<Path extends string, Place extends Entries, F extends Entries, Fixed = unknown> {
  readonly id: string;
  readonly path: Path;
  readonly search: Place & F;
  href(...values: Args<Omit<Link<Path, Place & F>, keyof Fixed>>): string;
  /** The list as an address shows it. */
  at(url: URL): ListView<Place, F>;
}

/**
 * A list: a screen whose search params hold a filter as well. `filter` is the schema of the call that lists, so its
 * names and its usual page length are the call's.
 * @param fixed what the address says where a screen has several lists, such as its tab
 * @param neutral fields of the filter that narrow nothing, such as one that shows more
 */
/* @__NO_SIDE_EFFECTS__ */
export function listScreen<
  const Path extends string,
  const Place extends Entries,
  const F extends Filter,
  const Fixed extends Partial<Read<Place>> = Record<never, never>,
>(
  place: Screen<Path, Place>,
  filter: F,
  fixed: Fixed = {} as Fixed,
  neutral: readonly (keyof FilterEntries<F>)[] = [],
): ListScreen<Path, Place, FilterEntries<F>, Fixed> {
  const search = { ...place.search, ...filter.entries } as Place & FilterEntries<F>;
  return {
    id: place.id,
    path: place.path,
    search,
    href: (...[values]) => filled(place.path, values ?? {}) + searchOf(search, { ...values, ...fixed } as Values),
    at: (url) => new ListView(url, place, filter.entries as FilterEntries<F>, fixed as Values, neutral as string[]),
  };
}

/** What a table's headers need to order the list. */
export interface Sorting {
  field: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  /** The address of the list in another order. */
  href: (field: string | undefined, direction: 'asc' | 'desc' | undefined) => string;
}

type Changes<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

/** A list as one address shows it. Its functions need no `this`. */
export class ListView<Place extends Entries = Entries, F extends Entries = Entries> {
  /** For the call that lists. */
  readonly filter: Read<F>;
  /** What the address says beside the filter. */
  readonly place: Read<Place>;
  readonly pathname: string;
  private readonly search: Entries;
  private readonly values: Values;
  /** The fields of its filter form. */
  private readonly fields: string[];
  private readonly neutral: readonly string[];

  private readonly less: (names: readonly string[]) => ListView<Place, F>;

  constructor(url: URL, place: Screen<string, Place>, filter: F, fixed: Values, neutral: readonly string[]) {
    const { at, path, search } = place;
    this.search = { ...search, ...filter };
    // With a dialog over the list the address goes on below the list's own.
    const steps = path.split('/').length;
    this.pathname = url.pathname.split('/').slice(0, steps).join('/');
    this.place = { ...at(url), ...fixed } as Read<Place>;
    this.filter = readSearch(filter, url, '') as Read<F>;
    this.values = { ...this.place, ...this.filter } as Values;
    this.neutral = neutral;
    this.fields = Object.keys(filter).filter((name) => !arranging.includes(name) && !(name in search));
    this.less = (names) => {
      const less = new URL(url);
      for (const name of names) less.searchParams.delete(name);
      return new ListView(less, place, filter, fixed, neutral);
    };
  }

  /** The list as if the address did not say this: what somebody is not offered is no filter of theirs either. */
  without(...names: (keyof F & string)[]): ListView<Place, F> {
    return this.less(names);
  }

  /** The same list with changes. */
  with = (changes: Changes<Read<Place & F>>): string =>
    this.pathname + searchOf(this.search, { ...this.values, ...(changes as Values) });

  /** The list as it is; what a dialog over it closes back to. */
  get here(): string {
    return this.with({});
  }

  page = (page: number): string => this.with({ page } as never);

  /** Whether anything narrows the list. */
  get isFiltered(): boolean {
    return this.fields.some(
      (name) =>
        !this.neutral.includes(name) &&
        written(this.values[name]) !== usual(this.search[name] as v.GenericSchema<unknown, unknown>),
    );
  }

  /** The list narrowed by nothing else than this; its order and page length stay. */
  only = (filter: Changes<Read<F>>): string => {
    const nothing = [...this.fields, 'page'].map((name) => [name, undefined] as const);
    return this.with({ ...Object.fromEntries(nothing), ...filter } as never);
  };

  /** The list without what narrows it. */
  get reset(): string {
    return this.only({});
  }

  /** The fields that the filter form sends along unseen. */
  get kept(): [string, string][] {
    const names = Object.keys(this.search).filter((name) => !this.fields.includes(name) && name !== 'page');
    const kept = Object.fromEntries(names.map((name) => [name, this.values[name]]));
    return [...new URLSearchParams(searchOf(this.search, kept))];
  }

  get sorting(): Sorting | undefined {
    if (!('sort_field' in this.search)) return undefined;
    return {
      field: this.values.sort_field as string | undefined,
      direction: this.values.sort as Sorting['direction'],
      href: (sort_field, sort) => this.with({ sort_field, sort, page: undefined } as never),
    };
  }
}

// ---- dialogs -----------------------------------------------------------------------------------

export interface Dialog<Path extends string = string, Search extends Entries = Entries> {
  readonly path: Path;
  readonly search: Search;
  /** Over a list or screen as it is now: `behind` is its address. */
  href(behind: string, ...values: Args<Link<Path, Search>>): string;
  /** What the dialog's address says of the dialog itself. */
  at(url: URL): Read<Search>;
  /** The address of what the dialog stands over: its own without what it added. Where it is not open, the address. */
  behind(url: URL): string;
}

interface DialogOptions {
  /** The sentence of the 404 where a required param is missing or is none. */
  missing?: string;
  /** Params behind it that have the name of one of its own, and the names under which they are kept meanwhile. */
  aside?: Readonly<Record<string, string>>;
}

/** A dialog over whichever screens mount it: an address below theirs, which keeps their search params. */
/* @__NO_SIDE_EFFECTS__ */
export function dialog<const Path extends string, const Search extends Entries = Record<never, never>>(
  path: Path,
  search: Search = {} as Search,
  { missing = '您访问的页面不存在', aside = {} }: DialogOptions = {},
): Dialog<Path, Search> {
  const own = Object.keys(search);
  // What stands over the dialog itself lies below its address.
  const open = new RegExp(`/${path.replace(/:\w+/g, '[^/]+')}(?:/.*)?$`);
  return {
    path,
    search,
    href(behind, ...[values]) {
      const [pathname = '', kept = ''] = behind.split('?');
      const params = new URLSearchParams(kept);
      for (const [name, meanwhile] of Object.entries(aside)) rename(params, name, meanwhile);
      for (const name of own) params.delete(name);
      const added = new URLSearchParams(searchOf(search, (values ?? {}) as Values));
      for (const [name, value] of added) params.set(name, value);
      return `${pathname}/${filled(path, values ?? {})}${queryOf(params)}`;
    },
    at: (url) => readSearch(search, url, missing) as Read<Search>,
    behind({ pathname, search: kept }) {
      const place = pathname.replace(open, '');
      if (place === pathname) return pathname + kept;
      const params = new URLSearchParams(kept);
      for (const name of own) params.delete(name);
      for (const [name, meanwhile] of Object.entries(aside)) rename(params, meanwhile, name);
      return `${place}${queryOf(params)}`;
    },
  };
}

/** The path of a dialog over a screen, as the router takes it. */
export const pathOver = (screen: { path: string }, { path }: { path: string }) => `${screen.path}/${path}`;
function rename(params: URLSearchParams, from: string, to: string): void {
  const value = params.get(from);
  params.delete(from);
  if (value !== null) params.set(to, value);
}

/** A list under a dialog with a list of its own, whose page and filter are not those of the list behind it. */
/* @__NO_SIDE_EFFECTS__ */
export function beneath<List extends { at(url: URL): unknown }>(over: Pick<Dialog, 'behind'>, list: List): List {
  return { ...list, at: (url: URL) => list.at(new URL(over.behind(url), url)) };
}
