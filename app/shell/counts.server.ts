/**
 * What waits for a person, which the navigation says on every page: asked anew after a form of theirs. What others do
 * shows once it is asked for again.
 */
import { createContext } from 'react-router';
import { type Counts, showCounts } from '#server/workbench/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { keptForEach } from './kept.server.ts';

const kept = keptForEach<Counts>();

/** Undefined where it is not known: a page is shown without. */
export const countsFor = (token: string, client: ApiClient): Promise<Counts | undefined> =>
  kept.of(token, () => ask(client));

const ask = (client: ApiClient): Promise<Counts | undefined> =>
  client.ask(showCounts).then(
    (outcome) => (outcome.ok ? outcome.data : undefined),
    () => undefined,
  );

export const forgetCounts = (token: string): void => kept.forget(token);

/** Of whoever the page is for; null outside the signed-in screens. */
export const waitingCounts = createContext<(() => Promise<Counts | undefined>) | null>(null);
