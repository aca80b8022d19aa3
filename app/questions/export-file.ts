import { exportQuestions } from '#server/questions/export.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/export-file';
import { questionExportFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { format } = questionExportFile.at(url);
  // The page has the same search parameters as the call.
  return context
    .get(api)
    .file(exportQuestions, { params: { format }, query: Object.fromEntries(url.searchParams), from: request });
}
