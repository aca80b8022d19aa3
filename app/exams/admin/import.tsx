/** Page that imports questions from a Word or Excel file into a section of a paper. */
import { redirect } from 'react-router';
import { showAdminExam } from '#server/exams/admin.contract.ts';
import {
  commitExamImport,
  dropExamImport,
  listExamImports,
  showExamImport,
  startExamImport,
  startPastedExamImport,
} from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { idempotencyField, textOf } from '../../lib/form-data.ts';
import { correctionButtons, correctPreview } from '../../questions/import-action.server.ts';
import { ImportSteps, needsColumns } from '../../questions/import-steps.tsx';
import { refuseImport } from '../../questions/refuse-import.server.ts';
import {
  readButton,
  readPostedForm,
  redirectWithMessage,
  refusedForm,
  requireAvailable,
} from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { isMultipart } from '../../shell/posted-form.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Screen, useAddress } from '../../ui/screen.tsx';
import {
  adminExams,
  examImport,
  examImportColumns,
  examImportEdit,
  examImportPreview,
  examPaper,
  examTemplate,
} from '../screens.ts';
import type { Route } from './+types/import';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '导入题目' }],
};

/** The page reloads itself every second while a long file is being parsed. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...titleMeta('导入题目'),
  ...(loaderData?.found?.status === 1 ? [{ httpEquiv: 'refresh', content: '1' }] : []),
];

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, startExamImport);
  const client = context.get(api);
  const { place, filter } = examImportPreview.at(url);
  const { id, section, file } = place;
  const exam = await client.send(showAdminExam, { params: { id } });
  requireAllowed(context, exam.refusals.paper);
  const found = file ? await client.send(showExamImport, { params: { importId: file }, filter }) : undefined;
  if (found && needsColumns(found)) throw redirect(examImportColumns.href({ id, section, file }));
  const unfinished = found?.status === 2 ? [] : await client.send(listExamImports);
  return { id, section, found, unfinished, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { id, section, file: importId = '' } = examImport.at(url);
  if (isMultipart(request)) {
    const outcome = await client.upload(startExamImport, request);
    if (!outcome.ok) return refuseImport(outcome, new FormData());
    throw redirect(examImport.href({ id, section, file: outcome.data.import_id }));
  }
  const form = await readPostedForm(request, context);
  const [scope] = readButton(form, 'paste', 'drop', 'all', 'good', ...correctionButtons);
  if (scope === 'paste') {
    const idempotencyKey = idempotencyField(form);
    const outcome = await client.ask(startPastedExamImport, { body: { text: textOf(form, 'text') }, idempotencyKey });
    if (!outcome.ok) return refusedForm(outcome, form);
    throw redirect(examImport.href({ id, section, file: outcome.data.import_id }));
  }
  if (scope !== 'drop' && scope !== 'all' && scope !== 'good') {
    return correctPreview(context, client, 'exam', { button: scope, importId, form, here: url.pathname + url.search });
  }
  if (scope === 'drop') {
    requireAvailable(await client.ask(dropExamImport, { params: { importId } }));
    throw redirect(examImport.href({ id, section }));
  }
  const outcome = await client.ask(commitExamImport, {
    params: { id, importId },
    body: { section_id: section, scope },
    idempotencyKey: idempotencyField(form),
  });
  if (!outcome.ok) return refuseImport(outcome, form);
  return redirectWithMessage(context, outcome.msg, examPaper.href({ id }));
}

export default function ImportExamQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { id, section, found, unfinished, idempotencyKey } = loaderData;
  const view = useAddress(examImportPreview);
  return (
    <Screen card>
      <ImportSteps
        title="导入题目到试卷"
        found={found}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        view={view}
        unfinished={unfinished}
        openHref={(file) => examImport.href({ id, section, file })}
        only={view.filter.only}
        filterHref={(only) => view.with({ only, page: undefined })}
        pageHref={(page) => view.with({ only: undefined, page })}
        editHref={(row) => examImportEdit.href({ ...view.filter, id, section, file: found?.import_id, row })}
        columnsHref={examImportColumns.href({ id, section, file: found?.import_id })}
        words={{ all: '全部导入试卷', good: '仅导入正确的题目' }}
        here={examImport.href({ id, section, file: found?.import_id })}
        action={examImport.href({ id, section })}
        templates={{ word: examTemplate.href({ format: '1' }), excel: examTemplate.href({ format: '2' }) }}
        backHref={examPaper.href({ id })}
      />
    </Screen>
  );
}
