/** Dialog over an exam that exports its questions. */
import { planExamExport } from '#server/exams/paper.contract.ts';
import { api } from '../api/client.server.ts';
import { planQuery } from '../lib/export-choice.ts';
import { ExportDialog } from '../questions/export-dialog.tsx';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/export';
import { examDetail, examExport, examExportFile } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('导出题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  const choice = examExport.at(url);
  const closeHref = examExport.behind(url);
  const id = examDetail.at(new URL(closeHref, url)).id;
  const query = planQuery(choice);
  return { plan: await context.get(api).send(planExamExport, { params: { id }, query }), id, choice, closeHref };
}

export default function ExportExam({ loaderData: { plan, id, choice, closeHref } }: Route.ComponentProps) {
  return (
    <ExportDialog
      plan={plan}
      choice={choice}
      closeHref={closeHref}
      hrefOf={(other) => examExport.href(closeHref, other)}
      fileHref={examExportFile.href({ id, ...choice })}
    />
  );
}
