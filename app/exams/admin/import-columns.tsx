/** Page that says what each column of a spreadsheet holds, before its questions are imported into a paper. */
import { chooseExamImportColumns, showExamImportColumns } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { ImportColumnsPage } from '../../questions/import-columns.tsx';
import { columnsBody } from '../../questions/import-columns-fields.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { adminExams, examImport, examImportColumns } from '../screens.ts';
import type { Route } from './+types/import-columns';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '列对应' }],
};

export const meta: Route.MetaFunction = () => titleMeta('列对应');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, chooseExamImportColumns);
  const { file: importId = '', ...place } = examImportColumns.at(url);
  const found = await context.get(api).send(showExamImportColumns, { params: { importId } });
  const backHref = examImport.href({ ...place, file: found.total > 0 ? importId : undefined });
  return { found, backHref, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const place = examImportColumns.at(url);
  const params = { importId: place.file ?? '' };
  return handleEdit(sent, examImport.href(place), (client, idempotencyKey, form) =>
    client.ask(chooseExamImportColumns, { params, body: columnsBody(form), idempotencyKey }),
  );
};

export default function ImportedExamColumns({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportColumnsPage {...loaderData} refused={actionData} />;
}
