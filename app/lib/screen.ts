/**
 * Where a screen stands and what its address says, declared once, as a call of the API is: the route, every link to
 * it, every redirect and the reading of its params follow from the declaration. Each subject has its own in
 * `screens.ts`.
 */
import {
  type Address,
  type Addressable,
  type Args,
  beneath,
  type Entries,
  finderOf,
  type LinkParams,
  type Options,
  type Params,
  type Routed,
  readSearch,
  type SearchEntries,
  searchOf,
  shownAt,
  splitEntries,
} from './address.ts';
import { filled, pathOf, type Values } from './link.ts';

export interface Screen<Id extends string = string, Path extends string = string, Search extends Entries = Entries>
  extends Addressable<Id>,
    Routed,
    Options {
  /** The route's id: the screen's name. */
  readonly id: Id;
  /** As the router takes it. */
  readonly pattern: Path;
  /** What is declared beside the path. */
  readonly search: SearchEntries<Path, Search>;
  /** The address; what is usual there is left out. */
  href(...values: Args<LinkParams<Path, Search>>): Address<Id>;
  /** What an address says. Nonsense is dropped; without what must be there it is an error page of 404. */
  at(url: URL): Params<Path, Search>;
  /** Its own address as it is shown, without whichever dialog is open over it. */
  here(url: URL): Address<Id>;
  /** Whether an address is the screen's, or of what opens over it or lies below it. */
  covers(address: string): boolean;
  /** Whether an address is the screen's, with nothing open over it. */
  isAlone(url: URL): boolean;
}

/**
 * @param file of its route, in the folder of the `screens.ts` that declares it
 * @param declared what the search params say, and what the path says where that is not the id of a record
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
  options: Options = {},
): Screen<Id, Path, Search> {
  const { inPath, search } = splitEntries(pattern, declared);
  const places = [{ id, pattern, path: pattern }];
  const find = finderOf(places, declared);
  const all = { ...inPath, ...search };
  return {
    ...options,
    id,
    pattern,
    file,
    places,
    search: search as SearchEntries<Path, Search>,
    href: (...[values]) => (filled(pattern, values ?? {}) + searchOf(search, (values ?? {}) as Values)) as Address<Id>,
    at: (url) =>
      readSearch(all, beneath(places, url), options.missing, find(url.pathname)?.inPath) as Params<Path, Search>,
    here: (url) => shownAt({ places }, url),
    covers: (address) => find(pathOf(address)) !== undefined,
    isAlone: ({ pathname }) => find(pathname)?.pathname === pathname,
  };
}

/** A screen, whatever its params. */
export interface AnyScreen extends Addressable {
  readonly id: string;
  readonly search: object;
  at(url: URL): unknown;
}

/** Several screens as one: what a list stands on, or a dialog opens over, that is the same at each of them. */
export interface Either<One extends AnyScreen> extends Addressable<One['id']> {
  readonly search: One['search'];
  at(url: URL): ReturnType<One['at']>;
  /** Its own address as it is shown, without whichever dialog is open over it. */
  here(url: URL): Address<One['id']>;
  /** The one that an address is of; the first where it is of none. */
  of(address: string): One;
}

/* @__NO_SIDE_EFFECTS__ */
export function either<const Screens extends readonly [AnyScreen, ...AnyScreen[]]>(
  ...screens: Screens
): Either<Screens[number]> {
  type One = Screens[number];
  const [first] = screens;
  const places = screens.flatMap((one) => one.places);
  const find = finderOf(places);
  const of = (address: string) => screens.find(({ id }) => id === find(pathOf(address))?.place.id) ?? first;
  return {
    places,
    search: first.search,
    of,
    at: (url) => of(url.pathname).at(url) as ReturnType<One['at']>,
    here: (url) => shownAt({ places }, url),
  };
}
