/** Returns the refused rows as a file, with the reasons. */
import { refusedRowsFile } from '#server/import/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/refused-rows';
import { importRefused } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  return context.get(api).file(refusedRowsFile, { params: { id: importRefused.at(url).id }, from: request });
}
