/** Short-lived cache per session, for data that many pages show. */

/** Milliseconds for which a value is cached. */
const cacheTime = 30_000;
/** Maximum number of entries. Beyond it the oldest are dropped. */
const maxEntries = 1_000;

interface SessionCache<Value> {
  of(token: string, ask: () => Promise<Value | undefined>): Promise<Value | undefined>;
  forget(token: string): void;
}

/** Makes a cache by session token. Undefined is not cached, so the next page asks again. */
export function sessionCache<Value>(): SessionCache<Value> {
  const kept = new Map<string, { until: number; value: Promise<Value | undefined> }>();
  return {
    of(token, ask) {
      const known = kept.get(token);
      if (known && performance.now() < known.until) return known.value;
      const entry = { until: performance.now() + cacheTime, value: ask() };
      kept.delete(token);
      kept.set(token, entry);
      void entry.value.then((value) => {
        if (value === undefined && kept.get(token) === entry) kept.delete(token);
      });
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries) break;
        kept.delete(oldest);
      }
      return entry.value;
    },
    forget: (token) => void kept.delete(token),
  };
}
