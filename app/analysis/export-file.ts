import { exportHomework } from '#server/homework/export.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/export-file';
import { homeworkExportFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { id, format } = homeworkExportFile.at(url);
  const query = Object.fromEntries(url.searchParams);
  return context.get(api).file(exportHomework, { params: { id, format }, query, from: request });
}
