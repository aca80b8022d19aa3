/** Page that says what each column of an uploaded spreadsheet holds, before its questions are imported. */
import { chooseImportColumns, showImportColumns } from '#server/questions/import.contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import { handleEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/columns';
import { ImportColumnsPage } from './import-columns.tsx';
import { columnsBody } from './import-columns-fields.ts';
import { importColumns, questionImport, questionList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '列对应' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('列对应');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, chooseImportColumns);
  const { id: importId = '', publishing } = importColumns.at(url);
  const found = await context.get(api).send(showImportColumns, { params: { importId } });
  const backHref = questionImport.href({ id: found.total > 0 ? importId : undefined, publishing });
  return { found, backHref, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id: importId = '', publishing } = importColumns.at(url);
  return handleEdit(sent, questionImport.href({ id: importId, publishing }), (client, idempotencyKey, form) =>
    client.ask(chooseImportColumns, { params: { importId }, body: columnsBody(form), idempotencyKey }),
  );
};

export default function ImportedColumns({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportColumnsPage {...loaderData} refused={actionData} />;
}
