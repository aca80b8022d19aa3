/** A stored file for a signed-in browser: the pictures of texts, attachments, courseware; by range. */
import { readFile } from '#server/files/contract.ts';
import { api } from '../api.server.ts';
import type { Route } from './+types/serve';

export function loader({ request, context, params, url }: Route.LoaderArgs) {
  const query = {
    name: url.searchParams.get('name') ?? undefined,
    download: url.searchParams.get('download') ?? undefined,
  };
  return context.get(api).file(readFile, { params, query, from: request });
}
