/** Stores the column settings of a grid in a cookie of this browser. The server does not read the cookie. */
import * as v from 'valibot';

const Keys = v.array(v.pipe(v.string(), v.maxLength(40)));
const Arrangement = v.object({
  hidden: v.record(v.string(), v.boolean()),
  order: Keys,
  pinned: v.object({ left: v.optional(Keys, []), right: v.optional(Keys, []) }),
  sizes: v.record(v.string(), v.number()),
});
export type Arrangement = v.InferOutput<typeof Arrangement>;

const none: Arrangement = { hidden: {}, order: [], pinned: { left: [], right: [] }, sizes: {} };
const year = 365 * 24 * 60 * 60;
const cookieName = (name: string) => `grid_${name}`;

/** Reads the settings from the cookie. An unreadable cookie counts as no settings. */
export function readArrangement(name: string): Arrangement {
  const found = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${cookieName(name)}=`))
    ?.slice(cookieName(name).length + 1);
  if (!found) return none;
  try {
    return v.parse(Arrangement, JSON.parse(decodeURIComponent(found)));
  } catch {
    return none;
  }
}

/** Stores the settings. Stores only hidden columns, because columns are shown by default. */
export function rememberArrangement(name: string, arrangement: v.InferInput<typeof Arrangement>): void {
  const hidden = Object.fromEntries(Object.entries(arrangement.hidden).filter(([, shown]) => !shown));
  const sizes = Object.fromEntries(Object.entries(arrangement.sizes).map(([key, size]) => [key, Math.round(size)]));
  const text = encodeURIComponent(JSON.stringify({ ...arrangement, hidden, sizes }));
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers of the floor.
  document.cookie = `${cookieName(name)}=${text}; path=/; max-age=${year}; samesite=lax`;
}
