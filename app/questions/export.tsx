/** Dialog over 我的题目 that exports the ticked questions, or all that the list shows. */
import { planQuestionExport } from '#server/questions/export.contract.ts';
import { api } from '../api/client.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import type { Route } from './+types/export';
import { ExportDialog, exportMeta } from './export-dialog.tsx';
import { questionExport, questionExportFile, questionList } from './screens.ts';

export const meta = exportMeta;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, planQuestionExport);
  const { ids, ...choice } = questionExport.at(url);
  const closeHref = questionExport.behind(url);
  const { filter } = questionList.at(new URL(closeHref, url));
  const { ques_stem, ques_type, facility_value, point, tag, remark } = filter;
  const selection = ids.length > 0 ? { ids } : { ids, ques_stem, ques_type, facility_value, point, tag, remark };
  const query = { ...selection, ...choice };
  const plan = await context.get(api).send(planQuestionExport, { query });
  return { plan, selection, choice, closeHref };
}

export default function ExportQuestions({ loaderData: { plan, selection, choice, closeHref } }: Route.ComponentProps) {
  return (
    <ExportDialog
      plan={plan}
      choice={choice}
      closeHref={closeHref}
      hrefOf={(other) => questionExport.href(closeHref, { ids: selection.ids, ...other })}
      fileHref={questionExportFile.href({ ...selection, ...choice })}
    />
  );
}
