/** Import of questions from Word and Excel files (document 1, sections 2 and 5): upload, preview, commit. */
import { data, redirect } from 'react-router';
import {
  commitImport,
  dropImport,
  ImportFilter,
  type ImportState,
  showImport,
  startImport,
} from '#server/questions/contract.ts';
import { api } from '../api.server.ts';
import { readSearch } from '../lib/search.ts';
import { done, idempotencyField } from '../shell/dialog-action.server.ts';
import type { Route } from './+types/import';
import styles from './import.module.css';
import { ImportPreview } from './import-preview.tsx';
import { UploadForm } from './import-upload.tsx';

export const handle = {
  crumbs: [
    { label: '作业管理', href: '/homework' },
    { label: '我的题目', href: '/homework?tab=ques' },
    { label: '导入题目' },
  ],
};

/** A page that waits for the reading of a long file comes again by itself. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: '导入题目 · 教学后台' },
  ...((loaderData as { found?: ImportState } | undefined)?.found?.status === 1
    ? [{ httpEquiv: 'refresh', content: '1' }]
    : []),
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const importId = url.searchParams.get('id');
  const filter = readSearch(ImportFilter, url.searchParams);
  if (!importId) return { filter, idempotencyKey: '' };
  const found = await context.get(api).send(showImport, { params: { importId }, query: filter });
  return { found, filter, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  if ((request.headers.get('content-type') ?? '').startsWith('multipart/')) {
    const outcome = await client.upload(startImport, request);
    if (!outcome.ok) return data({ messages: outcome.err ?? [outcome.msg] }, { status: outcome.status });
    throw redirect(`${url.pathname}?id=${outcome.data.import_id}`);
  }
  const form = await request.formData();
  const importId = url.searchParams.get('id') ?? '';
  const scope = form.get('scope');
  if (scope !== 'all' && scope !== 'good') {
    await client.ask(dropImport, { params: { importId } });
    throw redirect(url.pathname);
  }
  const outcome = await client.ask(commitImport, {
    params: { importId },
    body: { scope },
    idempotencyKey: idempotencyField(form),
  });
  if (outcome.ok) return done(context, outcome.msg, '/homework?tab=ques');
  return data({ messages: outcome.err ?? [outcome.msg] }, { status: outcome.status });
}

export default function ImportQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { found, filter, idempotencyKey } = loaderData;
  const messages = actionData?.messages ?? (found?.status === 3 ? [found.message] : []);
  return (
    <main className={styles.page}>
      <h1>导入题目</h1>
      {messages.length > 0 && <ImportHint messages={messages} />}
      {found?.status === 1 && <Reading found={found} />}
      {found?.status === 2 && <ImportPreview found={found} filter={filter} idempotencyKey={idempotencyKey} />}
      {(!found || found.status === 3) && <UploadForm />}
    </main>
  );
}

/** Each message on a line of its own (document 1, section 8). */
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

function Reading({ found }: { found: ImportState }) {
  return (
    <section className={styles.reading}>
      <p>正在读取 {found.file_name}，请稍候…</p>
      <progress max={100} value={found.percent} aria-label="读取进度" />
      <p role="status">{found.percent}%</p>
      <a href={`/homework/question/import?id=${found.import_id}`}>刷新进度</a>
    </section>
  );
}
