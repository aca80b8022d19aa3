/**
 * What waits for a person, which the navigation says on every page: asked anew after a form of theirs, else kept for a
 * short while, so that it costs a page nothing. What others do shows by then.
 */
import { createContext } from 'react-router';
import { type Counts, showCounts } from '#server/workbench/contract.ts';
import type { ApiClient } from '../api/client.server.ts';

/** Milliseconds. */
const keptFor = 30_000;
/** Of people who came last; the others are asked for again. */
const keptMost = 1_000;

const kept = new Map<string, { until: number; counts: Promise<Counts | undefined> }>();

/** Undefined where it is not known: a page is shown without. */
export function countsFor(token: string, client: ApiClient): Promise<Counts | undefined> {
  const known = kept.get(token);
  if (known && performance.now() < known.until) return known.counts;
  const entry = { until: performance.now() + keptFor, counts: ask(client) };
  kept.delete(token);
  kept.set(token, entry);
  // What is not known is asked for again by the next page.
  void entry.counts.then((counts) => {
    if (!counts && kept.get(token) === entry) kept.delete(token);
  });
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMost) break;
    kept.delete(oldest);
  }
  return entry.counts;
}

const ask = (client: ApiClient): Promise<Counts | undefined> =>
  client.ask(showCounts).then(
    (outcome) => (outcome.ok ? outcome.data : undefined),
    () => undefined,
  );

export const forgetCounts = (token: string): void => {
  kept.delete(token);
};

/** Of whoever the page is for; null outside the signed-in screens. */
export const waitingCounts = createContext<(() => Promise<Counts | undefined>) | null>(null);
