/** An ordinary multipart form; with client JS with early checks and a progress bar. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { acceptedExtensions, coursewareMessages } from '#server/courseware/contract.ts';
import type { SessionDetail } from '#server/sessions/contract.ts';
import { sendWithProgress } from '../courseware/send-with-progress.ts';
import { fileFault } from '../courseware/terms.ts';
import { buttonClass } from '../ui/button.tsx';
import { DialogButtons } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import styles from './handout-form.module.css';

interface HandoutFormProps {
  session: SessionDetail;
  closeHref: string;
  /** Of the dialog, with the idempotency key: the form's own fields are not read. */
  address: { pathname: string; search: string };
  refused: string | undefined;
}

/** Of ordinary courseware: documents, decks and pictures. */
const formats = acceptedExtensions(1, 'lesson');

export function HandoutForm({ session, closeHref, address, refused }: HandoutFormProps) {
  const [hydrated, setHydrated] = useState(false);
  const [error, setError] = useState(refused);
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState<{ percent: number; stop: () => void }>();
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => setHydrated(true), []);

  const checkFile = (): string | undefined => {
    const chosen = file.current?.files?.[0];
    const fault = chosen ? fileFault(chosen, 1, 'lesson') : coursewareMessages.choose;
    setError(fault);
    return fault;
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMessage('');
    if (sending || checkFile()) return file.current?.focus();
    const { answer, stop } = sendWithProgress(
      `${address.pathname}/send${address.search}`,
      new FormData(event.currentTarget),
      (percent) => setSending((now) => now && { ...now, percent }),
    );
    setSending({ percent: 0, stop });
    const sent = await answer;
    if (sent && 'to' in sent) return window.location.assign(sent.to);
    setSending(undefined);
    if (!sent) return setMessage('已取消上传');
    setError(sent.errors?.file?.[0]);
    if (!sent.errors?.file) setMessage(sent.msg);
  };

  return (
    <form
      method="post"
      action={address.pathname + address.search}
      encType="multipart/form-data"
      onSubmit={submit}
      noValidate={hydrated}
    >
      {message && (
        <p className={styles.message} role="alert">
          {message}
        </p>
      )}
      {session.file_status !== 2 && <p>重新上传后将替换现有讲义，并重新审核。</p>}
      <Field label="讲义文件" id="file" required error={error} hint={`支持 ${formats.join('、')}`}>
        <input
          ref={file}
          type="file"
          id="file"
          name="file"
          required
          accept={formats.map((extension) => `.${extension}`).join(',')}
          onChange={checkFile}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'file-error' : undefined}
        />
      </Field>
      {sending && (
        <div className={styles.progress}>
          <progress max={100} value={sending.percent} aria-label="上传进度" />
          <span role="status">{sending.percent < 100 ? `${sending.percent}%` : '正在检查文件…'}</span>
          <button type="button" className={buttonClass('plain')} onClick={sending.stop}>
            取消上传
          </button>
        </div>
      )}
      <DialogButtons closeHref={closeHref} submit={sending ? '正在上传…' : '上传'} disabled={sending !== undefined} />
    </form>
  );
}
