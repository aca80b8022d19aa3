/** Streams a courseware file to a signed-in browser. Supports range requests. 404 if the user may not see the file. */
import { readMaterialFile } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/file';
import { materialFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { fid, download } = materialFile.at(url);
  const query = { download: download ? '1' : undefined };
  return context.get(api).file(readMaterialFile, { params: { fid }, query, from: request });
}
