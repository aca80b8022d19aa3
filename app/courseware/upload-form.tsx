/** The form of the upload dialog: an ordinary multipart form; with client JS with early checks and a progress bar. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  acceptedExtensions,
  coursewareMessages,
  type UploadPlace,
  type WareClassify,
  type WareType,
  wareTypes,
} from '#server/courseware/contract.ts';
import { searchOf } from '../lib/search.ts';
import { buttonClass } from '../ui/button.tsx';
import { DialogButtons } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { sendWithProgress } from './send-with-progress.ts';
import { fileFault, uploadNotes, wareTypeChoices, wareTypeNames } from './terms.ts';
import styles from './upload.module.css';
import { NameField, WareFields } from './ware-fields.tsx';

export interface UploadPurpose {
  place: 'library' | 'lesson' | 'class';
  /** What names the lesson, the class or the ware: they go with the form. */
  fields: Record<string, string>;
}

interface UploadFormProps extends UploadPurpose {
  /** Where the form goes without client JS; with it, /courseware/send takes it. */
  action: string;
  /** The name of the file that a ware has already: another may be chosen. */
  present?: string;
  classifies: WareClassify[];
  closeHref: string;
  idempotencyKey: string;
  /** Of a form that was refused. */
  typed: Record<string, string>;
  refused: Record<string, string[]> | undefined;
}

type Progress = { state: 'still' } | { state: 'sending'; percent: number; stop: () => void };

export function UploadForm(props: UploadFormProps) {
  const { fields, action, present, classifies, closeHref, idempotencyKey, typed } = props;
  // A class takes what a lesson takes.
  const place: UploadPlace = props.place === 'library' ? 'library' : 'lesson';
  const typedType = wareTypes.find((one) => one === Number(typed.ware_type)) ?? 1;
  const [type, setType] = useState<WareType>(typedType);
  const [hydrated, setHydrated] = useState(false);
  const [errors, setErrors] = useState(props.refused);
  const [message, setMessage] = useState('');
  const [progress, setProgress] = useState<Progress>({ state: 'still' });
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => setHydrated(true), []);

  const { id: ware, ...named } = fields;
  const back = place === 'library' ? undefined : closeHref;
  const sendSearch = searchOf({ ...named, ware, key: idempotencyKey, return: back });

  /** Changing the type clears the file (document 1, section 5). */
  const changeType = (value: string) => {
    setType(wareTypes.find((one) => one === Number(value)) ?? 1);
    if (file.current) file.current.value = '';
    setErrors(undefined);
  };
  const checkFile = (): string | undefined => {
    const chosen = file.current?.files?.[0];
    const missing = present === undefined ? coursewareMessages.choose : undefined;
    const fault = chosen ? fileFault(chosen, type, place) : missing;
    setErrors(fault ? { file: [fault] } : undefined);
    return fault;
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMessage('');
    if (progress.state === 'sending' || checkFile()) return file.current?.focus();
    const { answer, stop } = sendWithProgress(
      `/courseware/send${sendSearch}`,
      new FormData(event.currentTarget),
      (percent) => setProgress((now) => (now.state === 'sending' ? { ...now, percent } : now)),
    );
    setProgress({ state: 'sending', percent: 0, stop });
    const sent = await answer;
    if (sent && 'to' in sent) return window.location.assign(sent.to);
    setProgress({ state: 'still' });
    if (!sent) return setMessage('已取消上传');
    setErrors(sent.errors);
    setMessage(sent.msg);
  };

  const sending = progress.state === 'sending';
  const fileError = errors?.file?.[0] ?? errors?.ware_url?.[0];
  const accept = acceptedExtensions(type, place).map((extension) => `.${extension}`);
  return (
    <form
      method="post"
      action={action}
      encType="multipart/form-data"
      className={styles.form}
      onSubmit={submit}
      noValidate={hydrated}
    >
      {message && (
        <p className={styles.message} role="alert">
          {message}
        </p>
      )}
      {/* The file stands last: what comes before it is shown again when it is refused. */}
      <HiddenFields fields={Object.entries(fields)} />
      <Field label="课件类型" id="ware_type" required error={errors?.ware_type?.[0]}>
        <select
          id="ware_type"
          name="ware_type"
          defaultValue={typedType}
          onChange={(event) => changeType(event.currentTarget.value)}
          className={controlClass}
        >
          {wareTypeChoices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {props.place !== 'lesson' ? (
        <WareFields values={typed} errors={errors} classifies={classifies} isNameRequired={props.place === 'class'} />
      ) : (
        <>
          <NameField value={typed.ware_name} errors={errors} isRequired={false} />
          <SyncField typed={typed.is_sync} error={errors?.is_sync?.[0]} />
        </>
      )}
      {present !== undefined && <p className={styles.file}>现有文件：{present}</p>}
      <Field
        label={present === undefined ? '课件文件' : '更换文件'}
        id="file"
        required={present === undefined}
        error={fileError}
      >
        <input
          ref={file}
          type="file"
          id="file"
          name="file"
          required={present === undefined}
          // Without client JS the chosen type is not known here: every ending is offered, and the server decides.
          accept={hydrated ? accept.join(',') : undefined}
          onChange={checkFile}
          aria-invalid={fileError ? true : undefined}
          aria-describedby={fileError ? 'file-error file-notes' : 'file-notes'}
        />
      </Field>
      <FormatNotes place={place} current={hydrated ? type : undefined} />
      {progress.state === 'sending' && (
        <div className={styles.progress}>
          <progress max={100} value={progress.percent} aria-label="上传进度" />
          <span role="status">{progress.percent < 100 ? `${progress.percent}%` : '正在检查文件…'}</span>
          <button type="button" className={buttonClass('plain')} onClick={progress.stop}>
            取消上传
          </button>
        </div>
      )}
      <DialogButtons
        closeHref={closeHref}
        submit={sending ? '正在上传…' : props.place === 'class' ? '保存' : '上传'}
        disabled={sending}
      />
    </form>
  );
}

/** Off by default (document 1, section 5). */
function SyncField({ typed, error }: { typed: string | undefined; error: string | undefined }) {
  return (
    <fieldset className={styles.sync}>
      <legend>同步到课件库</legend>
      <label>
        <input type="radio" name="is_sync" value="1" defaultChecked={typed === '1'} />是
      </label>
      <label>
        <input type="radio" name="is_sync" value="2" defaultChecked={typed !== '1'} />否
      </label>
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}

function FormatNotes({ place, current }: { place: UploadPlace; current: WareType | undefined }) {
  return (
    <dl className={styles.notes} id="file-notes">
      {wareTypes
        .filter((type) => current === undefined || type === current)
        .map((type) => {
          const { formats, note } = uploadNotes(type, place);
          return (
            <div key={type}>
              <dt>{wareTypeNames[type]}</dt>
              <dd>
                支持 {formats}。{note}
              </dd>
            </div>
          );
        })}
    </dl>
  );
}
