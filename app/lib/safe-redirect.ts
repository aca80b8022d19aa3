const here = 'http://here.invalid';

/**
 * Where a form or an address says to go on to, if that is a page of ours; otherwise `usual`. Browsers drop tabs and line
 * breaks from an address and read a backslash as a slash, so what has any of them is none of ours, and what remains
 * is answered as a browser would resolve it.
 */
export function safeRedirect(to: unknown, usual: string): string {
  if (typeof to !== 'string') return usual;
  const path = to.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it.
  if (!path.startsWith('/') || /[\x00-\x1f\x7f\\]/.test(path)) return usual;
  const { origin, pathname, search, hash } = resolved(path);
  // `/.//host` resolves to our own origin, but to a path that names another when it stands alone.
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : usual;
}

/** Bytes of an address in a header: clients and proxies refuse a head beyond 16 KB. */
const longestWay = 8_000;

/** An address to come back to after signing in; a longer one is given up, and its person begins at home. */
export const wayBack = (here: string): `/${string}` | undefined =>
  encodeURIComponent(here).length <= longestWay ? (here as `/${string}`) : undefined;

/** Another origin's where it is none: `URL.canParse` came to Chrome with 120. */
function resolved(path: string): Pick<URL, 'origin' | 'pathname' | 'search' | 'hash'> {
  try {
    return new URL(path, here);
  } catch {
    return { origin: '', pathname: '', search: '', hash: '' };
  }
}
