/**
 * A dialog's form with a file: an ordinary multipart form. With client JS the file is checked before it is sent, a bar
 * says how far it is, and it can be stopped.
 */
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import { DialogButtons } from '../ui/dialog.tsx';
import { Form, type Values } from '../ui/form.tsx';
import { FileField as FormFileField } from '../ui/form-fields.tsx';
import { takenEvent } from '../ui/keep-form.ts';
import styles from './file-form.module.css';
import { sendWithProgress } from './send-with-progress.ts';

type Errors = Record<string, string[]> | undefined;

const fileError = (errors: Errors) => errors?.file?.[0] ?? errors?.ware_url?.[0];

interface FileFormOptions {
  /** What takes the form where client JS runs: it answers as JSON. */
  sendTo: string;
  /** What the form was refused with. */
  refused: Errors;
  /** What can be told of the file before it is sent. */
  fault: (chosen: File | undefined) => string | undefined;
}

export function useFileForm({ sendTo, refused, fault }: FileFormOptions) {
  const [errors, setErrors] = useState(refused);
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState<{ percent: number; stop: () => void }>();
  const hydrated = useHydrated();
  const file = useRef<HTMLInputElement>(null);

  const check = (): boolean => {
    const found = fault(file.current?.files?.[0]);
    setErrors(found ? { file: [found] } : undefined);
    return found === undefined;
  };
  const clear = () => {
    if (file.current) file.current.value = '';
    setErrors(undefined);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setMessage('');
    if (sending || !check()) return file.current?.focus();
    const { answer, stop } = sendWithProgress(sendTo, new FormData(form), (percent) =>
      setSending((now) => now && { ...now, percent }),
    );
    setSending({ percent: 0, stop });
    const sent = await answer;
    if (sent && 'to' in sent) {
      form.dispatchEvent(new Event(takenEvent));
      return window.location.assign(sent.to);
    }
    setSending(undefined);
    if (!sent) return setMessage('已取消上传');
    setErrors(sent.errors);
    if (!fileError(sent.errors)) setMessage(sent.msg);
  };
  return { hydrated, errors, message, sending, file, check, clear, submit };
}

type State = ReturnType<typeof useFileForm>;

interface FileFormProps {
  state: State;
  /** Where the form goes without client JS. */
  action: string;
  closeHref: string;
  /** The words of the button that sends it. */
  submit: string;
  /** What the fields show: what was typed, where the form was refused. */
  values?: Values;
  draft?: string;
  children: ReactNode;
}

export function FileForm({ state, action, closeHref, submit, values = {}, draft, children }: FileFormProps) {
  const { hydrated, errors, message, sending } = state;
  const ofFile = fileError(errors);
  return (
    <Form
      action={action}
      encType="multipart/form-data"
      className={styles.form}
      onSubmit={state.submit}
      noValidate={hydrated}
      refused={
        errors || message ? { msg: message, errors: { ...errors, ...(ofFile && { file: [ofFile] }) } } : undefined
      }
      values={values}
      draft={draft}
    >
      {children}
      {sending && (
        <div className={styles.progress}>
          <progress max={100} value={sending.percent} aria-label="上传进度" />
          <span role="status">{sending.percent < 100 ? `${sending.percent}%` : '正在检查文件…'}</span>
          <Button type="button" variant="default" onClick={sending.stop}>
            取消上传
          </Button>
        </div>
      )}
      <DialogButtons closeHref={closeHref} submit={sending ? '正在上传…' : submit} disabled={sending !== undefined} />
    </Form>
  );
}

interface FileFieldProps {
  state: State;
  label: string;
  required?: boolean;
  /** Endings without their dots. */
  accept: readonly string[] | undefined;
  hint?: string;
  /** The id of what else is to be known of it. */
  describedBy?: string;
}

/** Stands last among the fields: what comes before it is shown again when it is refused. */
export function FileField({ state, label, required = true, accept, hint, describedBy }: FileFieldProps) {
  return (
    <FormFileField
      ref={state.file}
      name="file"
      label={label}
      withAsterisk={required}
      required={required}
      description={hint}
      describedBy={describedBy}
      accept={accept?.map((extension) => `.${extension}`).join(',')}
      onChange={state.check}
    />
  );
}
