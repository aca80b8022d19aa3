/** Import of questions from Word and Excel files: upload, preview, commit. */
import { redirect } from 'react-router';
import { commitImport, dropImport, type ImportState, showImport, startImport } from '#server/questions/contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage, publish } from '../homework/screens.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { done, mustBeThere, pressed, refused, typedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { isMultipart } from '../shell/posted.server.ts';
import { titled } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/import';
import styles from './import.module.css';
import { ImportPreview } from './import-preview.tsx';
import { UploadForm } from './import-upload.tsx';
import { importPreview, pickQuestions, questionImport, questionList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '导入题目' },
  ],
};

/** A page that waits for the reading of a long file comes again by itself. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...titled('导入题目'),
  ...(loaderData?.found?.status === 1 ? [{ httpEquiv: 'refresh', content: '1' }] : []),
];

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, startImport);
  const { place, filter } = importPreview.at(url);
  const { publishing } = place;
  if (!place.id) return { idempotencyKey: '', publishing };
  const found = await context.get(api).send(showImport, { params: { importId: place.id }, filter });
  return { found, idempotencyKey: crypto.randomUUID(), publishing };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { id: importId = '', publishing } = questionImport.at(url);
  if (isMultipart(request)) {
    const outcome = await client.upload(startImport, request);
    if (!outcome.ok) return refusedFile(outcome, new FormData());
    throw redirect(questionImport.href({ id: outcome.data.import_id, publishing }));
  }
  const form = await typedForm(request, context);
  const [scope] = pressed(form, 'drop', 'all', 'good');
  if (scope === 'drop') {
    mustBeThere(await client.ask(dropImport, { params: { importId } }));
    throw redirect(questionImport.href({ publishing }));
  }
  const outcome = await client.ask(commitImport, {
    params: { importId },
    body: { scope },
    idempotencyKey: idempotencyField(form),
  });
  if (!outcome.ok) return refusedFile(outcome, form);
  // Those that the homework is to have are chosen; all of them at first.
  const chosenFor = (form: ReturnType<typeof publish.href>) => pickQuestions.href(form, { picked: outcome.data.ids });
  if (!publishing) {
    const onwards = { href: chosenFor(publish.href()), label: '用这些题目布置作业' };
    return done(context, outcome.msg, questionList.href(), outcome.data.ids.length > 0 ? onwards : undefined);
  }
  return done(context, outcome.msg, chosenFor(publish.href(publish.at(new URL(publishing, url)))));
}

/** Of a file there may be said several things. */
const refusedFile = (outcome: Parameters<typeof refused>[0], form: FormData) =>
  refused({ ...outcome, errors: { file: outcome.err ?? [outcome.msg] } }, form);

export default function ImportQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { found, idempotencyKey, publishing } = loaderData;
  const messages = actionData?.errors?.file ?? (found?.status === 3 ? [found.message] : []);
  return (
    <Screen card>
      <h1>导入题目</h1>
      {messages.length > 0 && <ImportHint messages={messages} />}
      {found?.status === 1 && <Reading found={found} publishing={publishing} />}
      {found?.status === 2 && (
        <ImportPreview found={found} idempotencyKey={idempotencyKey} isForHomework={publishing !== undefined} />
      )}
      {(!found || found.status === 3) && <UploadForm publishing={publishing} />}
    </Screen>
  );
}

/** Each message on a line of its own. */
function ImportHint({ messages }: { messages: string[] }) {
  return (
    <section className={styles.hint} role="alert" aria-labelledby="import-hint">
      <h2 id="import-hint">导入提示</h2>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be the same.
        <p key={index}>{message}</p>
      ))}
    </section>
  );
}

function Reading({ found, publishing }: { found: ImportState; publishing: string | undefined }) {
  return (
    <section className={styles.reading}>
      <p>正在读取 {found.file_name}，请稍候…</p>
      <progress max={100} value={found.percent} aria-label="读取进度" />
      <p role="status">{found.percent}%</p>
      <a href={questionImport.href({ id: found.import_id, publishing })}>刷新进度</a>
    </section>
  );
}
