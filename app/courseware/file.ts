/** The file of a courseware for a signed-in browser that may see it, by range. */
import { readWareFile } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/file';
import { wareFile } from './screens.ts';

export function loader({ request, context, params, url }: Route.LoaderArgs) {
  const query = { download: wareFile.at(url).download ? '1' : undefined };
  return context.get(api).file(readWareFile, { params, query, from: request });
}
