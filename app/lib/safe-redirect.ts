const here = 'http://here.invalid';

/**
 * Returns `to` if it is a page of this site, otherwise `usual`; prevents open redirects. Browsers drop tabs and line
 * breaks and read a backslash as a slash, so addresses with any of them are refused; the others are resolved as a
 * browser would.
 */
export function safeRedirect(to: unknown, usual: string): string {
  if (typeof to !== 'string') return usual;
  const path = to.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it.
  if (!path.startsWith('/') || /[\x00-\x1f\x7f\\]/.test(path)) return usual;
  const { origin, pathname, search, hash } = resolved(path);
  // `/.//host` resolves to our origin, but its path alone names another host.
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : usual;
}

/** Bytes of an address in a header: clients and proxies refuse headers beyond 16 KB in total. */
const maxAddressBytes = 8_000;

/** Address to return to after sign-in; undefined if too long, which leads home. */
export const returnAddress = (here: string): `/${string}` | undefined =>
  encodeURIComponent(here).length <= maxAddressBytes ? (here as `/${string}`) : undefined;

/** Returns another origin for an invalid URL: `URL.canParse` needs Chrome 120. */
function resolved(path: string): Pick<URL, 'origin' | 'pathname' | 'search' | 'hash'> {
  try {
    return new URL(path, here);
  } catch {
    return { origin: '', pathname: '', search: '', hash: '' };
  }
}
