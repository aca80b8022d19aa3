/** Page with the question form for a question that is being imported into a paper. */
import { replaceExamImportRow, showExamImportRow } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { editedRow, rowValues } from '../../questions/imported-row.ts';
import { questionFormAction } from '../../questions/question-form-action.server.ts';
import { QuestionPage } from '../../questions/question-page.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { adminExams, examImportEdit, examImportPreview } from '../screens.ts';
import type { Route } from './+types/import-edit';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '编辑待导入的题目' }],
};

export const meta: Route.MetaFunction = () => titleMeta('编辑待导入的题目');

/** Address of the preview at the edited question. */
const previewOf = ({ row, ...place }: ReturnType<typeof examImportEdit.at>): string =>
  `${examImportPreview.href(place)}#q-${row}`;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, replaceExamImportRow);
  const place = examImportEdit.at(url);
  const { file: importId = '', row } = place;
  const found = await context.get(api).send(showExamImportRow, { params: { importId, row } });
  const { point: _, ...draft } = rowValues(importId, row, found).draft;
  return { ...rowValues(importId, row, found), draft, backHref: previewOf(place) };
}

export function action(args: Route.ActionArgs) {
  const place = examImportEdit.at(args.url);
  const { file: importId = '', row } = place;
  return questionFormAction(
    args,
    (client, draft, idempotencyKey, form) =>
      client.ask(replaceExamImportRow, { params: { importId, row }, body: editedRow(draft, form), idempotencyKey }),
    previewOf(place),
  );
}

export default function EditImportedExamQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="编辑待导入的题目" {...loaderData} answer={actionData} />;
}
