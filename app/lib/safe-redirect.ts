const here = 'http://here.invalid';

/**
 * Returns `to` if it is a page of this site, otherwise `usual`. Prevents open redirects. Browsers drop tabs and line
 * breaks and read a backslash as a slash, so addresses with any of them are refused. Others are resolved as a browser
 * would.
 */
export function safeRedirect(to: unknown, usual: string): string {
  if (typeof to !== 'string') return usual;
  const path = to.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it.
  if (!path.startsWith('/') || /[\x00-\x1f\x7f\\]/.test(path)) return usual;
  const { origin, pathname, search, hash } = parseUrl(path);
  // `/.//host` resolves to this site, but its path alone would lead to another host.
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : usual;
}

/** Maximum length of an address in a header. Clients and proxies refuse headers above 16 KB in total. */
const maxAddressBytes = 8_000;

/** Address to return to after sign-in. Undefined if it is too long; sign-in then leads to the start page. */
export const returnAddress = (here: string): `/${string}` | undefined =>
  encodeURIComponent(here).length <= maxAddressBytes ? (here as `/${string}`) : undefined;

/** Parses a URL. An invalid one gets an empty origin. (`URL.canParse` needs Chrome 120.) */
function parseUrl(path: string): Pick<URL, 'origin' | 'pathname' | 'search' | 'hash'> {
  try {
    return new URL(path, here);
  } catch {
    return { origin: '', pathname: '', search: '', hash: '' };
  }
}
