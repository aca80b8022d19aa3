/** Imports questions from a Word or Excel file in three steps: upload, preview, import. */
import { redirect } from 'react-router';
import { pickablePoints } from '#server/questions/contract.ts';
import {
  commitImport,
  dropImport,
  listImports,
  showImport,
  startImport,
  startPastedImport,
} from '#server/questions/import.contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage, publish } from '../homework/screens.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import {
  readButton,
  readPostedForm,
  redirectWithMessage,
  refusedForm,
  requireAvailable,
} from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/import';
import { correctionButtons, correctPreview } from './import-action.server.ts';
import { ImportSteps, needsColumns } from './import-steps.tsx';
import { scoresText } from './imported-scores.ts';
import { pathsOf } from './point-paths.ts';
import { refuseImport } from './refuse-import.server.ts';
import {
  importColumns,
  importEdit,
  importPreview,
  pickQuestions,
  questionImport,
  questionList,
  questionTemplate,
} from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '导入题目' },
  ],
};

/** Maximum characters of the address in the message after an import. The message is a cookie of at most 4 KB. */
const maxOnwards = 1500;

/** The page reloads itself every second while a long file is being read. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...titleMeta('导入题目'),
  ...(loaderData?.found?.status === 1 ? [{ httpEquiv: 'refresh', content: '1' }] : []),
];

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, startImport);
  const client = context.get(api);
  const { place, filter } = importPreview.at(url);
  const { id: importId, publishing } = place;
  const found = importId ? await client.send(showImport, { params: { importId }, filter }) : undefined;
  if (found && needsColumns(found)) throw redirect(importColumns.href({ id: importId, publishing }));
  const unfinished = found?.status === 2 ? [] : await client.send(listImports);
  const points = found?.status === 2 ? pathsOf(await client.send(pickablePoints, {})) : [];
  return { found, unfinished, points, idempotencyKey: crypto.randomUUID(), publishing };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { id: importId = '', publishing } = questionImport.at(url);
  if (isMultipart(request)) {
    const outcome = await client.upload(startImport, request);
    if (!outcome.ok) return refuseImport(outcome, new FormData());
    throw redirect(questionImport.href({ id: outcome.data.import_id, publishing }));
  }
  const form = await readPostedForm(request, context);
  const [scope] = readButton(form, 'paste', 'drop', 'all', 'good', ...correctionButtons);
  if (scope === 'paste') {
    const idempotencyKey = idempotencyField(form);
    const outcome = await client.ask(startPastedImport, { body: { text: textOf(form, 'text') }, idempotencyKey });
    if (!outcome.ok) return refusedForm(outcome, form);
    throw redirect(questionImport.href({ id: outcome.data.import_id, publishing }));
  }
  if (scope !== 'drop' && scope !== 'all' && scope !== 'good') {
    return correctPreview(context, client, 'own', { button: scope, importId, form, here: url.pathname + url.search });
  }
  if (scope === 'drop') {
    requireAvailable(await client.ask(dropImport, { params: { importId } }));
    throw redirect(questionImport.href({ publishing }));
  }
  const outcome = await client.ask(commitImport, {
    params: { importId },
    body: { scope },
    idempotencyKey: idempotencyField(form),
  });
  if (!outcome.ok) return refuseImport(outcome, form);
  // Address of the question picker over a publish form, with all imported questions already picked.
  const { ids, scores } = outcome.data;
  const chosenFor = (form: ReturnType<typeof publish.href>) =>
    pickQuestions.href(form, { picked: ids, scores: scoresText(ids, scores) });
  if (!publishing) {
    const onwards = { href: chosenFor(publish.href()), label: '用这些题目布置作业' };
    const fits = ids.length > 0 && onwards.href.length <= maxOnwards;
    return redirectWithMessage(context, outcome.msg, questionList.href(), fits ? onwards : undefined);
  }
  return redirectWithMessage(context, outcome.msg, chosenFor(publish.href(publish.at(new URL(publishing, url)))));
}

export default function ImportQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { found, unfinished, points, idempotencyKey, publishing } = loaderData;
  const view = useAddress(importPreview);
  const into = publishing === undefined ? '' : '，选入作业';
  return (
    <Screen card>
      <ImportSteps
        title="导入题目"
        found={found}
        points={points}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        view={view}
        unfinished={unfinished}
        openHref={(id) => questionImport.href({ id, publishing })}
        only={view.filter.only}
        filterHref={(only) => view.with({ only, page: undefined })}
        pageHref={(page) => view.with({ only: undefined, page })}
        editHref={(row) => importEdit.href({ ...view.filter, id: found?.import_id, publishing, row })}
        columnsHref={importColumns.href({ id: found?.import_id, publishing })}
        words={{ all: `全部导入${into}`, good: `仅导入正确的题目${into}` }}
        here={questionImport.href({ id: found?.import_id, publishing })}
        action={questionImport.href({ publishing })}
        templates={{ word: questionTemplate.href({ format: '1' }), excel: questionTemplate.href({ format: '2' }) }}
        backHref={publishing ?? questionList.href()}
      />
    </Screen>
  );
}
