/** Declares dialogs: routes over a screen. The address of a dialog extends the screen's and keeps its parameters. */
import {
  type Address,
  type Addressable,
  type AddressParams,
  type Entries,
  type HasRouteFile,
  type LinkArguments,
  type LinkParams,
  pathFinder,
  readSearch,
  registerOverlay,
  type ScreenOptions,
  type SearchEntries,
  searchOf,
  splitEntries,
  type ValuesOf,
  withoutDialogs,
} from './address.ts';
import { encodeQuery, fillPath, type SearchValues } from './link.ts';
import { type Filter, type FilterEntries, ListView } from './list-view.ts';

interface DialogRoute<Of extends string, Id extends string> extends Addressable<Id>, HasRouteFile, ScreenOptions {
  readonly over: Addressable<Of>;
  /** Address of the screen below the dialog. If the dialog is not open, the address itself. */
  behind(url: URL): Address<Of>;
  isOpen(url: URL): boolean;
  /** For every dialog page: the address to which it closes, and the idempotency key of its form. */
  opened(url: URL): { closeHref: Address<Of>; idempotencyKey: string };
}

export interface Dialog<Of extends string = string, Path extends string = string, Search extends Entries = Entries>
  extends DialogRoute<Of, Path> {
  readonly search: SearchEntries<Path, Search>;
  /** Link that opens the dialog over a screen or list. `behind` is the current address of the screen or list. */
  href(behind: Address<Of>, ...values: LinkArguments<LinkParams<Path, Search>>): Address<Path>;
  at(url: URL): AddressParams<Path, Search>;
}

/** Declares a dialog. `path` is appended to the path of each screen below. `file` is the route file. */
/* @__NO_SIDE_EFFECTS__ */
export function dialog<
  Of extends string,
  const Path extends string,
  const Search extends Entries = Record<never, never>,
>(
  over: Addressable<Of>,
  path: Path,
  file: string,
  declared: Search = {} as Search,
  options: ScreenOptions = {},
): Dialog<Of, Path, Search> {
  const { inPath, search } = splitEntries(path, declared);
  const { find, href, ...opening } = dialogRoute<Of, Path>(over, path, declared, search, options);
  const all = { ...inPath, ...search };
  return {
    ...opening,
    file,
    search: search as SearchEntries<Path, Search>,
    href: (behind, ...[values]) => href(behind, fillPath(path, values ?? {}), (values ?? {}) as SearchValues),
    at: (url) =>
      readSearch(
        all,
        withoutDialogs(opening.places, url),
        options.missing,
        find(url.pathname)?.inPath,
      ) as AddressParams<Path, Search>,
  };
}

export interface ListDialog<Of extends string, Path extends string, Search extends Entries, F extends Entries>
  extends DialogRoute<Of, Path> {
  readonly search: SearchEntries<Path, Search> & F;
  href(behind: Address<Of>, ...values: LinkArguments<LinkParams<Path, Search & F>>): Address<Path>;
  /** The list in the dialog, as shown at an address. */
  at(url: URL): ListView<AddressParams<Path, Search>, ValuesOf<F>, Path>;
}

/** Declares a dialog that contains a list with its own filter, order and pages. */
/* @__NO_SIDE_EFFECTS__ */
export function listDialog<
  Of extends string,
  const Path extends string,
  const F extends Filter,
  const Search extends Entries = Record<never, never>,
>(
  over: Addressable<Of>,
  path: Path,
  file: string,
  filter: F,
  declared: Search = {} as Search,
  options: ScreenOptions = {},
): ListDialog<Of, Path, Search, FilterEntries<F>> {
  const { inPath, search: beside } = splitEntries(path, declared);
  const search = { ...beside, ...filter.entries };
  const { find, href, ...opening } = dialogRoute<Of, Path>(over, path, declared, search, options);
  const around = { ...inPath, ...beside };
  const parts = {
    at: (url: URL) =>
      readSearch(around, url, options.missing, find(url.pathname)?.inPath) as AddressParams<Path, Search>,
    search: beside,
    filter: filter.entries,
    neutral: [],
    href: (url: URL, values: SearchValues) => href(opening.behind(url), fillPath(path, values), values),
  };
  return {
    ...opening,
    file,
    search: search as SearchEntries<Path, Search> & FilterEntries<F>,
    href: (behind, ...[values]) => href(behind, fillPath(path, values ?? {}), (values ?? {}) as SearchValues),
    at: (url) => new ListView(withoutDialogs(opening.places, url), parts),
  };
}

function dialogRoute<Of extends string, Id extends string>(
  over: Addressable<Of>,
  path: string,
  declared: Entries,
  search: Entries,
  options: ScreenOptions,
) {
  const places = over.places.map(({ id, pattern }) => ({
    id: [id, ...path.split('/').filter((step) => !step.startsWith(':'))].join('/'),
    pattern: `${pattern}/${path}`,
    path,
    under: id,
  }));
  const find = pathFinder(places, declared);
  const own = Object.keys(search);
  const steps = path.split('/').length;
  const isOpen = ({ pathname }: URL) => find(pathname) !== undefined;
  const behind = (url: URL): Address<Of> => {
    const { pathname, search: kept } = withoutDialogs(places, url);
    const found = find(pathname);
    if (!found) return (pathname + kept) as Address<Of>;
    const params = new URLSearchParams(kept);
    for (const name of own) restoreParam(params, name);
    return (found.pathname.split('/').slice(0, -steps).join('/') + encodeQuery(params)) as Address<Of>;
  };
  registerOverlay(over.places, { isOpen, behind });
  const readBehind = (from: string) => {
    const [pathname = '', search = ''] = from.split('?');
    const kept = new URLSearchParams(search);
    for (const name of own) setAsideParam(kept, name);
    return { from, pathname, kept, query: encodeQuery(kept) };
  };
  // Caches the last parsed address of the screen under the dialog, because all rows of a list open it over the same one.
  let last = readBehind('');
  return {
    ...options,
    over,
    places,
    find,
    behind,
    isOpen,
    opened: (url: URL) => ({ closeHref: behind(url), idempotencyKey: crypto.randomUUID() }),
    href(from: Address<Of>, tail: string, values: SearchValues): Address<Id> {
      if (from !== last.from) last = readBehind(from);
      const { pathname, kept, query } = last;
      const dialogQuery = searchOf(search, values);
      if (dialogQuery === '') return `${pathname}/${tail}${query}` as Address<Id>;
      const params = new URLSearchParams(kept);
      for (const [name, value] of new URLSearchParams(dialogQuery)) params.set(name, value);
      return `${pathname}/${tail}${encodeQuery(params)}` as Address<Id>;
    },
  };
}

// Name under which a parameter of the screen below is kept while the dialog has a parameter of the same name. Code that
// reads the screen below calls `withoutDialogs`, which restores the parameter.

const asideName = (name: string) => `behind-${name}`;

function setAsideParam(params: URLSearchParams, name: string): void {
  const values = params.getAll(name);
  if (values.length === 0) return;
  // With nested dialogs, the parameter may already be kept for another dialog further below.
  setAsideParam(params, asideName(name));
  params.delete(name);
  for (const value of values) params.append(asideName(name), value);
}

function restoreParam(params: URLSearchParams, name: string): void {
  params.delete(name);
  const values = params.getAll(asideName(name));
  if (values.length === 0) return;
  restoreParam(params, asideName(name));
  for (const value of values) params.append(name, value);
}
