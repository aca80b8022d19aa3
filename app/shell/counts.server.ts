/**
 * Pending counts in the navigation of every page. Cached per session; a form of the user refreshes them, changes by
 * others show after the cache expires.
 */
import { createContext } from 'react-router';
import { type Counts, showCounts, showWorkbench } from '#server/workbench/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { sessionCache } from './session-cache.server.ts';

const cache = sessionCache<Counts>();

/** Undefined if the call fails: the page is shown without counts. `isHome`: the workbench loads them anyway. */
export const loadCounts = (token: string, client: ApiClient, isHome: boolean): Promise<Counts | undefined> =>
  cache.of(token, () => (isHome ? countsFromWorkbench(client) : ask(client)).catch(() => undefined));

async function ask(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showCounts);
  return outcome.ok ? outcome.data : undefined;
}

/** The page's own call, which the per-page cache shares. */
async function countsFromWorkbench(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showWorkbench);
  if (!outcome.ok) return undefined;
  const { homework, exams, leave } = outcome.data;
  return { corrections: homework?.reports ?? 0, exams: exams?.reports ?? 0, leave: leave.total };
}

export const clearCounts = (token: string): void => cache.forget(token);

/** Pending counts of the current user; null when signed out. */
export const countsContext = createContext<(() => Promise<Counts | undefined>) | null>(null);
