/**
 * What waits for a person, which the navigation says on every page: asked anew after a form of theirs. What others do
 * shows once it is asked for again.
 */
import { createContext } from 'react-router';
import { type Counts, showCounts, showWorkbench } from '#server/workbench/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { sessionCache } from './session-cache.server.ts';

const kept = sessionCache<Counts>();

/** Undefined where it is not known: a page is shown without. `isHome`: on the page that says what waits anyway. */
export const countsFor = (token: string, client: ApiClient, isHome: boolean): Promise<Counts | undefined> =>
  kept.of(token, () => (isHome ? saidAtHome(client) : ask(client)).catch(() => undefined));

async function ask(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showCounts);
  return outcome.ok ? outcome.data : undefined;
}

/** The page's own call, which is answered once for both. */
async function saidAtHome(client: ApiClient): Promise<Counts | undefined> {
  const outcome = await client.ask(showWorkbench);
  if (!outcome.ok) return undefined;
  const { homework, exams, leave } = outcome.data;
  return { corrections: homework?.reports ?? 0, exams: exams?.reports ?? 0, leave: leave.total };
}

export const clearCounts = (token: string): void => kept.forget(token);

/** Of whoever the page is for; null outside the signed-in screens. */
export const waitingCounts = createContext<(() => Promise<Counts | undefined>) | null>(null);
