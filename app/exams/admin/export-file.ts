import { exportAdministeredExam } from '#server/exams/admin.contract.ts';
import { api } from '../../api/client.server.ts';
import { administeredExportFile } from '../screens.ts';
import type { Route } from './+types/export-file';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { id, format } = administeredExportFile.at(url);
  const query = Object.fromEntries(url.searchParams);
  return context.get(api).file(exportAdministeredExam, { params: { id, format }, query, from: request });
}
