/** Dialog over a homework that exports its questions. */
import { planHomeworkExport } from '#server/homework/export.contract.ts';
import { api } from '../api/client.server.ts';
import { planQuery } from '../lib/export-choice.ts';
import { ExportDialog } from '../questions/export-dialog.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/export';
import { detailScreens, homeworkExport, homeworkExportFile } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('导出题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, planHomeworkExport);
  const choice = homeworkExport.at(url);
  const closeHref = homeworkExport.behind(url);
  const id = detailScreens.at(new URL(closeHref, url)).hw_id;
  const query = planQuery(choice);
  return { plan: await context.get(api).send(planHomeworkExport, { params: { id }, query }), id, choice, closeHref };
}

export default function ExportHomework({ loaderData: { plan, id, choice, closeHref } }: Route.ComponentProps) {
  return (
    <ExportDialog
      plan={plan}
      choice={choice}
      closeHref={closeHref}
      hrefOf={(other) => homeworkExport.href(closeHref, other)}
      fileHref={homeworkExportFile.href({ id, ...choice })}
    />
  );
}
