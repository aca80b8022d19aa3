/**
 * Declares lists. Reads filter, order and page of a list from an address, and writes the addresses of its other views.
 */
import type * as v from 'valibot';
import {
  type Address,
  type Addressable,
  type AddressParams,
  defaultOf,
  type Entries,
  type LinkArguments,
  type LinkParams,
  pathFinder,
  readSearch,
  type SearchEntries,
  searchOf,
  type ValuesOf,
  withoutDialogs,
} from './address.ts';
import { fillPath, formatValue, pathOf, type SearchValues } from './link.ts';
import type { AnyScreen, Screen, ScreenGroup } from './screen.ts';

export type Filter = v.ObjectSchema<Entries, undefined>;
export type FilterEntries<F> = F extends v.ObjectSchema<infer E extends Entries, undefined> ? E : never;

/** Parameters of a filter that order or page the list, but do not narrow it. */
const arranging = ['page', 'limit', 'sort', 'sort_field'];

export interface ListScreen<
  Id extends string,
  Path extends string,
  Place extends Entries,
  F extends Entries,
  Fixed = unknown,
> extends Addressable<Id> {
  readonly id: Id;
  readonly pattern: Path;
  readonly search: SearchEntries<Path, Place> & F;
  href(...values: LinkArguments<Omit<LinkParams<Path, Place & F>, keyof Fixed>>): Address<Id>;
  /** Returns the view of the list at an address. */
  at(url: URL): ListView<AddressParams<Path, Place>, ValuesOf<F>, Id>;
}

interface ListOptions<Further extends Entries, Field> {
  /** Filter fields that do not narrow the list, such as a checkbox that shows more rows. */
  neutral?: readonly Field[];
  /** Parameters of the list's address that belong neither to the filter nor to the screen. */
  further?: Further;
}

/**
 * Declares a list: a screen whose search parameters include a filter. `filter` is the schema of the call that lists the
 * rows, so parameter names and page size equal the call's. @param fixed parameters that select this list on a screen
 * with several lists, such as its tab
 */
/* @__NO_SIDE_EFFECTS__ */
export function listScreen<
  Id extends string,
  Path extends string,
  Place extends Entries,
  const F extends Filter,
  const Fixed extends Partial<ValuesOf<Place>> = Record<never, never>,
  const Further extends Entries = Record<never, never>,
>(
  place: Screen<Id, Path, Place>,
  filter: F,
  fixed: Fixed = {} as Fixed,
  { neutral = [], further = {} as Further }: ListOptions<Further, keyof FilterEntries<F>> = {},
): ListScreen<Id, Path, Place & Further, FilterEntries<F>, Fixed> {
  type Around = AddressParams<Path, Place & Further>;
  const around: object = { ...place.search, ...further };
  const search = { ...around, ...filter.entries };
  const at = (url: URL) => ({ ...place.at(url), ...readSearch(further, url, place.missing) }) as Around;
  return {
    id: place.id,
    pattern: place.pattern,
    places: place.places,
    fixed: fixed as SearchValues,
    search: search as SearchEntries<Path, Place & Further> & FilterEntries<F>,
    href: (...[values]) =>
      (fillPath(place.pattern, values ?? {}) +
        searchOf(search, { ...values, ...fixed } as SearchValues)) as Address<Id>,
    at: viewer(
      { places: place.places, search: around, at },
      filter,
      fixed as SearchValues,
      neutral as readonly string[],
    ),
  };
}

/** Declares the same list on several screens. Its links stay on the current screen. */
/* @__NO_SIDE_EFFECTS__ */
export function listOnScreens<
  One extends AnyScreen,
  const F extends Filter,
  const Fixed extends Partial<ReturnType<One['at']>> = Record<never, never>,
>(
  place: ScreenGroup<One>,
  filter: F,
  fixed: Fixed = {} as Fixed,
): Addressable<One['id']> & {
  readonly search: One['search'] & FilterEntries<F>;
  at(url: URL): ListView<ReturnType<One['at']>, ValuesOf<FilterEntries<F>>, One['id']>;
} {
  const search = { ...place.search, ...filter.entries } as One['search'] & FilterEntries<F>;
  return {
    places: place.places,
    fixed: fixed as SearchValues,
    search,
    at: viewer(place, filter, fixed as SearchValues, []),
  };
}

/* @__NO_SIDE_EFFECTS__ */
function viewer<Place, F extends Filter, Id extends string>(
  place: Addressable<Id> & { search: object; at(url: URL): Place },
  filter: F,
  fixed: SearchValues,
  neutral: readonly string[],
) {
  const find = pathFinder(place.places);
  const search = place.search as Entries;
  const all = { ...search, ...filter.entries };
  const parts: ListParts<Place, Id> = {
    at: (url) => ({ ...place.at(url), ...fixed }),
    search,
    filter: filter.entries,
    neutral,
    href: ({ pathname }, values) => ((find(pathname)?.pathname ?? pathname) + searchOf(all, values)) as Address<Id>,
  };
  return (url: URL) => new ListView<Place, ValuesOf<FilterEntries<F>>, Id>(withoutDialogs(place.places, url), parts);
}

/** Sort order of the list, for the table headers. */
export interface Sorting {
  field: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  /** Returns the address of the list in another order. */
  href: (field: string | undefined, direction: 'asc' | 'desc' | undefined) => string;
}

type Changes<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

export interface ListParts<Place, Id extends string> {
  at(url: URL): Place;
  /** Schemas of the parameters besides the filter. */
  search: Entries;
  filter: Entries;
  neutral: readonly string[];
  /** Returns the address of the list with these values, on the screen of `url`. */
  href(url: URL, values: SearchValues): Address<Id>;
}

/** A list as shown at one address. Its functions do not use `this`, so they can be passed on. */
export class ListView<Place = unknown, Shown = unknown, Id extends string = string> {
  /** Values of the filter, for the call that lists the rows. */
  readonly filter: Shown;
  /** Parameters besides the filter. */
  readonly place: Place;
  private readonly url: URL;
  private readonly parts: ListParts<unknown, Id>;
  private readonly values: SearchValues;
  /** Names of the fields in the filter form. */
  private readonly fields: string[];
  private shown: Address<Id> | undefined;

  constructor(url: URL, parts: ListParts<Place, Id>) {
    this.url = url;
    this.parts = parts;
    this.place = parts.at(url);
    this.filter = readSearch(parts.filter, url) as Shown;
    this.values = { ...this.place, ...this.filter } as SearchValues;
    this.fields = Object.keys(parts.filter).filter((name) => !arranging.includes(name) && !(name in parts.search));
  }

  /** Returns the list without these parameters, for filters that the user is not offered. */
  without(...names: (keyof Shown & string)[]): ListView<Place, Shown, Id> {
    const less = new URL(this.url);
    for (const name of names) less.searchParams.delete(name);
    return new ListView<Place, Shown, Id>(less, this.parts as ListParts<Place, Id>);
  }

  /** Returns the address of the same list with other values. */
  with = (changes: Changes<Place> & Changes<Shown>): Address<Id> =>
    this.parts.href(this.url, { ...this.values, ...(changes as SearchValues) });

  /** Address of the list without changes. A dialog over the list closes to it. */
  get here(): Address<Id> {
    this.shown ??= this.parts.href(this.url, this.values);
    return this.shown;
  }

  get pathname(): string {
    return pathOf(this.here);
  }

  page = (page: number): Address<Id> => this.parts.href(this.url, { ...this.values, page });

  get isFiltered(): boolean {
    return this.activeFilters.length > 0;
  }

  /** Names of the filter fields that are set and narrow the list. */
  get activeFilters(): string[] {
    const { filter, neutral } = this.parts;
    return this.fields.filter(
      (name) =>
        !neutral.includes(name) &&
        formatValue(this.values[name]) !== defaultOf(filter[name] as v.GenericSchema<unknown, unknown>),
    );
  }

  /** Returns the address with only this filter. Order and page size stay. */
  withOnly = (filter: Changes<Shown>): Address<Id> => {
    const nothing = Object.fromEntries([...this.fields, 'page'].map((name) => [name, undefined]));
    return this.parts.href(this.url, { ...this.values, ...nothing, ...(filter as SearchValues) });
  };

  /** Returns the address without these filters but with `more`, on the first page. */
  withoutFilters = (names: readonly string[], more: SearchValues = {}): Address<Id> => {
    const nothing = Object.fromEntries([...names, 'page'].map((name) => [name, undefined]));
    return this.parts.href(this.url, { ...this.values, ...nothing, ...more });
  };

  /** Returns the value of a parameter as the address writes it. '' if it is not set. */
  valueText = (name: string): string => formatValue(this.values[name]);

  /** Address without any filter. */
  get reset(): Address<Id> {
    return this.withOnly({});
  }

  /** Hidden fields of the filter form: all parameters except the page and the form's own fields. */
  hiddenFieldsBeside = (fields: readonly string[]): [string, string][] =>
    [...new URL(this.here, this.url).searchParams].filter(([name]) => name !== 'page' && !fields.includes(name));

  get sorting(): Sorting | undefined {
    if (!('sort_field' in this.parts.filter)) return undefined;
    return {
      field: this.values.sort_field as string | undefined,
      direction: this.values.sort as Sorting['direction'],
      href: (sort_field, sort) => this.parts.href(this.url, { ...this.values, sort_field, sort, page: undefined }),
    };
  }
}
