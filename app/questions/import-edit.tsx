/** Page with the question form for a question that is being imported. */
import { pickablePoints } from '#server/questions/contract.ts';
import { replaceImportRow, showImportRow } from '#server/questions/import-correction.contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/import-edit';
import { editedRow, rowValues } from './imported-row.ts';
import { pathsOf } from './point-paths.ts';
import { questionFormAction } from './question-form-action.server.ts';
import { QuestionPage } from './question-page.tsx';
import { importEdit, importPreview, questionList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '编辑待导入的题目' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('编辑待导入的题目');

/** Address of the preview at the edited question. */
const previewOf = ({ row, ...place }: ReturnType<typeof importEdit.at>): string =>
  `${importPreview.href(place)}#q-${row}`;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, replaceImportRow);
  const place = importEdit.at(url);
  const { id: importId = '', row } = place;
  const client = context.get(api);
  const [found, tree] = await Promise.all([
    client.send(showImportRow, { params: { importId, row } }),
    client.send(pickablePoints, {}),
  ]);
  return { ...rowValues(importId, row, found), points: pathsOf(tree), backHref: previewOf(place) };
}

export function action(args: Route.ActionArgs) {
  const place = importEdit.at(args.url);
  const { id: importId = '', row } = place;
  return questionFormAction(
    args,
    (client, draft, idempotencyKey, form) =>
      client.ask(replaceImportRow, { params: { importId, row }, body: editedRow(draft, form), idempotencyKey }),
    previewOf(place),
  );
}

export default function EditImportedQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="编辑待导入的题目" {...loaderData} answer={actionData} />;
}
