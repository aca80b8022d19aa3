/** Suggestions of tags that the user's own questions have. */
import { listTags } from '#server/questions/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { Suggestions } from '../ui/filter-form.tsx';
import { suggestionsOf } from '../ui/suggestions.ts';

export const tagNames = async (client: ApiClient): Promise<string[]> =>
  (await client.send(listTags)).map(({ name }) => name);

export async function suggestedTags(client: ApiClient): Promise<Suggestions | undefined> {
  const names = await tagNames(client);
  return names.length > 0 ? suggestionsOf(names) : undefined;
}
