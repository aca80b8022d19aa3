/**
 * Pending counts in the navigation of every page, cached per session. A form that the user posts refreshes them.
 * Changes by others show once the cache has expired.
 */
import { createContext } from 'react-router';
import { type Counts, showCounts, showWorkbench } from '#server/workbench/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { sessionCache } from './session-cache.server.ts';

const cache = sessionCache<Counts>();

/**
 * Returns the counts. Undefined if the call fails: the page is then shown without them. `isHome` is true on the
 * workbench, which loads the counts anyway.
 */
export const loadCounts = (token: string, client: ApiClient, isHome: boolean): Promise<Counts | undefined> =>
  cache.of(token, () => (isHome ? countsFromWorkbench(client) : ask(client)).catch(() => undefined));

async function ask(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showCounts);
  return outcome.ok ? outcome.data : undefined;
}

/** The workbench makes the same call. The cache of the page shares the answer. */
async function countsFromWorkbench(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showWorkbench);
  if (!outcome.ok) return undefined;
  const { homework, exams, leave } = outcome.data;
  return { corrections: homework?.reports ?? 0, exams: exams?.reports ?? 0, leave: leave.total };
}

export const clearCounts = (token: string): void => cache.forget(token);

/** Loads the pending counts of the current user. Null when signed out. */
export const countsContext = createContext<(() => Promise<Counts | undefined>) | null>(null);
