/** The steps of a question import: upload, parsing, preview. */
import type { ImportState, UnfinishedImport } from '#server/questions/import.contract.ts';
import { Moment } from '../ui/moment.tsx';
import styles from './import.work.module.css';
import { ImportPreview, type ImportPreviewProps } from './import-preview.tsx';
import { UploadForm, type UploadPlaces } from './import-upload.tsx';

interface ImportStepsProps extends UploadPlaces, Omit<ImportPreviewProps, 'found'> {
  title: string;
  /** State of the import; undefined before a file is uploaded. */
  found: ImportState | undefined;
  /** The user's imports that were not finished; with an address for each. */
  unfinished: UnfinishedImport[];
  openHref: (importId: string) => string;
  /** Address of this page, which reloads itself while a long file is being read. */
  here: string;
}

/** True if no question was read because the columns of the spreadsheet are unknown. */
export const needsColumns = ({ status, has_columns, total, out }: ImportState): boolean =>
  status === 2 && has_columns && total + out === 0;

export function ImportSteps({ title, found, here, unfinished, openHref, ...steps }: ImportStepsProps) {
  const { refused } = steps;
  const messages = refused?.errors?.file ?? (found?.status === 3 ? [found.message] : []);
  const others = unfinished.filter(({ import_id }) => import_id !== found?.import_id);
  return (
    <>
      <h1>{title}</h1>
      {messages.length > 0 && <ImportHint messages={messages} />}
      {found?.status === 1 && <Reading found={found} here={here} />}
      {found?.status === 2 && <ImportPreview {...steps} found={found} />}
      {(!found || found.status === 3) && (
        <>
          <Unfinished imports={others} openHref={openHref} />
          <UploadForm {...steps} />
        </>
      )}
    </>
  );
}

function Unfinished({ imports, openHref }: { imports: UnfinishedImport[]; openHref: (importId: string) => string }) {
  if (imports.length === 0) return null;
  return (
    <section className={styles.step}>
      <h2>未完成的导入</h2>
      <ul>
        {imports.map(({ import_id, file_name, status, total, good, expires_at }) => (
          <li key={import_id}>
            <a href={openHref(import_id)}>{file_name}</a>
            {status === 2 ? `：${total}道题，${good}道可以导入` : status === 1 ? '：正在读取' : '：不能读取'}，保留到{' '}
            <Moment at={expires_at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Messages of the import, one per line. */
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

function Reading({ found, here }: { found: ImportState; here: string }) {
  return (
    <section className={styles.reading}>
      <p>正在读取 {found.file_name}，请稍候…</p>
      <progress max={100} value={found.percent} aria-label="读取进度" />
      <p role="status">{found.percent}%</p>
      <a href={here}>刷新进度</a>
    </section>
  );
}
