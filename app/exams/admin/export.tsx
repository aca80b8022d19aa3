/** Dialog over an exam of administrators that exports its questions. */
import { planAdministeredExport } from '#server/exams/admin.contract.ts';
import { api } from '../../api/client.server.ts';
import { planQuery } from '../../lib/export-choice.ts';
import { ExportDialog } from '../../questions/export-dialog.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { administeredExport, administeredExportFile, examRecord } from '../screens.ts';
import type { Route } from './+types/export';

export const meta: Route.MetaFunction = () => titleMeta('导出题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, planAdministeredExport);
  const choice = administeredExport.at(url);
  const closeHref = administeredExport.behind(url);
  const id = examRecord.at(new URL(closeHref, url)).id;
  const query = planQuery(choice);
  return {
    plan: await context.get(api).send(planAdministeredExport, { params: { id }, query }),
    id,
    choice,
    closeHref,
  };
}

export default function ExportExam({ loaderData: { plan, id, choice, closeHref } }: Route.ComponentProps) {
  return (
    <ExportDialog
      plan={plan}
      choice={choice}
      closeHref={closeHref}
      hrefOf={(other) => administeredExport.href(closeHref, other)}
      fileHref={administeredExportFile.href({ id, ...choice })}
    />
  );
}
