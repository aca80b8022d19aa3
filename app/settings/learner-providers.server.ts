import { showIdentity } from '#server/identity/contract.ts';
import type { ApiClient } from '../api/client.server.ts';

/** Returns the names of the identity providers that are for learners. */
export async function learnerProviders(client: ApiClient): Promise<string[]> {
  const { providers } = await client.send(showIdentity);
  return providers.filter(({ for_learners }) => for_learners === 1).map(({ name }) => name);
}
