/** Data subject request: returns all data of one student as a file. */
import { exportStudent } from '#server/privacy/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/export';
import { studentExport } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  return context.get(api).file(exportStudent, { params: { id: studentExport.at(url).id }, from: request });
}
