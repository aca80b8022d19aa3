/** The file of a courseware for a signed-in browser that may see it, by range. */
import { readWareFile } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/file';
import { wareFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { fid, download } = wareFile.at(url);
  const query = { download: download ? '1' : undefined };
  return context.get(api).file(readWareFile, { params: { fid }, query, from: request });
}
