/**
 * Streams a stored file (picture of a text, attachment, courseware) to a signed-in browser. Supports range requests.
 */
import { readFile } from '#server/platform/files/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/serve';
import { storedFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { year, month, file, ...query } = storedFile.at(url);
  return context.get(api).file(readFile, { params: { year, month, name: file }, query, from: request });
}
