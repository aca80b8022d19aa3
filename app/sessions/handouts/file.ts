/** Streams a handout's file to an administrator. Supports range requests. */
import { readHandout } from '#server/sessions/handouts.contract.ts';
import { api } from '../../api/client.server.ts';
import { handoutFile } from '../screens.ts';
import type { Route } from './+types/file';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { id, download } = handoutFile.at(url);
  const query = { download: download ? '1' : undefined };
  return context.get(api).file(readHandout, { params: { id }, query, from: request });
}
