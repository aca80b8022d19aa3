import { exportExam } from '#server/exams/paper.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/export-file';
import { examExportFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { id, format } = examExportFile.at(url);
  const query = Object.fromEntries(url.searchParams);
  return context.get(api).file(exportExam, { params: { id, format }, query, from: request });
}
