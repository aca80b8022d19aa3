/** A stored file for a signed-in browser: the pictures of texts, attachments, courseware; by range. */
import { readFile } from '#server/platform/files/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/serve';
import { storedFile } from './screens.ts';

export function loader({ request, context, params, url }: Route.LoaderArgs) {
  return context.get(api).file(readFile, { params, query: storedFile.at(url), from: request });
}
