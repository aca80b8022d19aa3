/**
 * A dialog's multipart form with a file. With client JS it checks the file first, shows the upload's progress, and can
 * be cancelled.
 */
import { Button } from '@mantine/core';
import { type ComponentProps, type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import type { uploadClassMaterial, uploadMaterial } from '#server/courseware/contract.ts';
import { acceptedEvent } from '../ui/client/drafts/keep-form.ts';
import type { NamesOf } from '../ui/fields-of.ts';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm, Values } from '../ui/form-state.ts';
import styles from './file-form.posts.module.css';
import { sendWithProgress } from './send-with-progress.ts';

type Upload = typeof uploadMaterial | typeof uploadClassMaterial;

const { DialogForm, FileField } = formOf<Upload, 'file'>();

type Errors = RefusedForm['errors'];

const fileError = (errors: Errors) => errors?.file?.[0] ?? errors?.ware_url?.[0];

interface FileFormOptions {
  /** Address to which client JS sends the form. It responds with JSON. */
  sendTo: string;
  refused: RefusedForm | undefined;
  fault: (chosen: File | undefined) => string | undefined;
}

export function useFileForm({ sendTo, refused, fault }: FileFormOptions) {
  const [errors, setErrors] = useState(refused?.errors);
  const [message, setMessage] = useState(refused?.msg ?? '');
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
      form.dispatchEvent(new Event(acceptedEvent));
      return window.location.assign(sent.to);
    }
    setSending(undefined);
    if (!sent) return setMessage('已取消上传');
    setErrors(sent.errors);
    setMessage(sent.msg);
  };
  return { hydrated, typed: refused?.typed, errors, message, sending, file, check, clear, submit };
}

type State = ReturnType<typeof useFileForm>;

interface FileFormProps {
  state: State;
  /** Address to which the browser posts the form without client JS. */
  action: string;
  closeHref: string;
  /** Label of the submit button. */
  submit: string;
  values?: Values<NamesOf<Upload>>;
  draft?: string;
  /** File extensions without dots. */
  accept: readonly string[] | undefined;
  file: Pick<ComponentProps<typeof FileField>, 'label' | 'description' | 'describedBy'> & { required?: boolean };
  children: ReactNode;
  /** Shown below the file field. */
  notes?: ReactNode;
}

/** Form with a file. The file field comes last, so that the server has the other fields even if it refuses the file. */
export function FileForm(props: FileFormProps) {
  const { state, action, closeHref, submit, values = {}, draft, accept, file, children, notes } = props;
  const { hydrated, typed, errors, message, sending } = state;
  const { required = true, ...words } = file;
  const ofFile = fileError(errors);
  return (
    <DialogForm
      closeHref={closeHref}
      submit={sending ? '正在上传…' : submit}
      disabled={sending !== undefined}
      action={action}
      encType="multipart/form-data"
      onSubmit={state.submit}
      noValidate={hydrated}
      refused={{ msg: message, errors: ofFile ? { ...errors, file: [ofFile] } : errors, typed }}
      values={values}
      draft={draft}
    >
      {children}
      <FileField
        ref={state.file}
        name="file"
        withAsterisk={required}
        required={required}
        accept={accept?.map((extension) => `.${extension}`).join(',')}
        onChange={state.check}
        {...words}
      />
      {notes}
      {sending && (
        <div className={styles.progress}>
          <progress max={100} value={sending.percent} aria-label="上传进度" />
          <span role="status">{sending.percent < 100 ? `${sending.percent}%` : '正在检查文件…'}</span>
          <Button type="button" variant="default" onClick={sending.stop}>
            取消上传
          </Button>
        </div>
      )}
    </DialogForm>
  );
}
