/**
 * Declares a screen once, as a call of the API is declared. Its route, links, redirects and the reading of its
 * parameters follow from the declaration. Each subject has a `screens.ts`.
 */
import {
  type Address,
  type Addressable,
  type AddressParams,
  currentAddress,
  type Entries,
  type HasRouteFile,
  type LinkArguments,
  type LinkParams,
  pathFinder,
  readSearch,
  type ScreenOptions,
  type SearchEntries,
  searchOf,
  splitEntries,
  withoutDialogs,
} from './address.ts';
import { fillPath, pathOf, type SearchValues } from './link.ts';

export interface Screen<Id extends string = string, Path extends string = string, Search extends Entries = Entries>
  extends Addressable<Id>,
    HasRouteFile,
    ScreenOptions {
  /** Route id: the name of the screen. */
  readonly id: Id;
  /** Path in the router's syntax. */
  readonly pattern: Path;
  /** Schemas of the search parameters. */
  readonly search: SearchEntries<Path, Search>;
  /** Returns the address of the screen. Leaves out default values. */
  href(...values: LinkArguments<LinkParams<Path, Search>>): Address<Id>;
  /** Reads an address. Drops invalid parameters. Throws 404 if a required one is missing. */
  at(url: URL): AddressParams<Path, Search>;
  /** Returns the current address without an open dialog. */
  here(url: URL): Address<Id>;
  /** True for the address of the screen, of its dialogs, and for addresses below it. */
  covers(address: string): boolean;
  /** True for the address of the screen while no dialog is open. */
  isAlone(url: URL): boolean;
}

/**
 * @param file route file, in the folder of the `screens.ts` that declares the screen @param declared schemas of the
 * search parameters, and of path parameters that are not record ids
 */
/* @__NO_SIDE_EFFECTS__ */
export function screen<
  const Id extends string,
  const Path extends string,
  const Search extends Entries = Record<never, never>,
>(
  id: Id,
  pattern: Path,
  file: string,
  declared: Search = {} as Search,
  options: ScreenOptions = {},
): Screen<Id, Path, Search> {
  const { inPath, search } = splitEntries(pattern, declared);
  const places = [{ id, pattern, path: pattern }];
  const find = pathFinder(places, declared);
  const all = { ...inPath, ...search };
  return {
    ...options,
    id,
    pattern,
    file,
    places,
    search: search as SearchEntries<Path, Search>,
    href: (...[values]) =>
      (fillPath(pattern, values ?? {}) + searchOf(search, (values ?? {}) as SearchValues)) as Address<Id>,
    at: (url) =>
      readSearch(all, withoutDialogs(places, url), options.missing, find(url.pathname)?.inPath) as AddressParams<
        Path,
        Search
      >,
    here: (url) => currentAddress({ places }, url),
    covers: (address) => find(pathOf(address)) !== undefined,
    isAlone: ({ pathname }) => find(pathname)?.pathname === pathname,
  };
}

export interface AnyScreen extends Addressable {
  readonly id: string;
  readonly search: object;
  at(url: URL): unknown;
}

/** Several screens as one, for a list or dialog that is the same on each of them. */
export interface ScreenGroup<One extends AnyScreen> extends Addressable<One['id']> {
  readonly search: One['search'];
  at(url: URL): ReturnType<One['at']>;
  /** Returns the current address without an open dialog. */
  here(url: URL): Address<One['id']>;
  /** Returns the screen of an address, or the first one if none matches. */
  of(address: string): One;
}

/* @__NO_SIDE_EFFECTS__ */
export function screenGroup<const Screens extends readonly [AnyScreen, ...AnyScreen[]]>(
  ...screens: Screens
): ScreenGroup<Screens[number]> {
  type One = Screens[number];
  const [first] = screens;
  const places = screens.flatMap((one) => one.places);
  const find = pathFinder(places);
  const of = (address: string) => screens.find(({ id }) => id === find(pathOf(address))?.place.id) ?? first;
  return {
    places,
    search: first.search,
    of,
    at: (url) => of(url.pathname).at(url) as ReturnType<One['at']>,
    here: (url) => currentAddress({ places }, url),
  };
}
