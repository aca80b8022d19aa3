/** Equal answers as a dialog: whose they are first, then one mark for all of them. */
import type { SameAnswer } from '#server/correction/contract.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { DeskQuestion } from './desk.ts';
import styles from './desk-dialogs.module.css';
import type { RefusedFinish } from './finish-page.tsx';
import { rateChoices } from './limits.ts';

interface SamePageProps {
  answers: SameAnswer[];
  /** The one that the others are the same as. */
  question: DeskQuestion | undefined;
  isRated: boolean;
  closeHref: string;
  idempotencyKey: string;
  refused: RefusedFinish | undefined;
}

export function SamePage({ answers, question, isRated, closeHref, idempotencyKey, refused }: SamePageProps) {
  const typed = new Map(refused?.typed);
  const error = refused?.errors?.user_score?.[0];
  return (
    <Dialog title="批改相同的答案" closeHref={closeHref} message={error ? undefined : refused?.msg} width={560}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={refused?.key ?? idempotencyKey}
        submit="一并评分"
        disabled={answers.length === 0}
        noValidate
        className={styles.fields}
      >
        <input type="hidden" name="version" value={question?.version ?? 0} />
        <p>以下 {answers.length} 名学员的答案与本份完全相同，评分将同时用于本份：</p>
        <fieldset className={styles.names} aria-label="学员">
          {answers.map(({ report_id, nickname, class_name, version }) => (
            <label key={report_id}>
              <input type="checkbox" name="answer" value={`${report_id}:${version}`} defaultChecked /> {nickname}
              {class_name && <small>{class_name}</small>}
            </label>
          ))}
          {answers.length === 0 && '没有相同的答案'}
        </fieldset>
        <Field label={isRated ? '本题正确率' : '得分'} id="same_score" error={error}>
          <MarkField question={question} isRated={isRated} typed={typed.get('user_score')} error={error} />
        </Field>
        <Field label="评语" id="same_comment" error={refused?.errors?.review_comment?.[0]}>
          <textarea
            id="same_comment"
            name="review_comment"
            rows={3}
            className={controlClass}
            defaultValue={typed.get('review_comment') ?? question?.review_comment}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}

interface MarkFieldProps {
  question: DeskQuestion | undefined;
  isRated: boolean;
  typed: string | undefined;
  error: string | undefined;
}

function MarkField({ question, isRated, typed, error }: MarkFieldProps) {
  const present = typed ?? (question?.user_score === null ? '' : String(question?.user_score ?? ''));
  const common = {
    id: 'same_score',
    name: 'user_score',
    className: controlClass,
    defaultValue: present,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? 'same_score-error' : undefined,
  };
  if (!isRated) return <input {...common} inputMode="decimal" placeholder={`0 – ${question?.ques_score ?? ''}`} />;
  return (
    <select {...common}>
      <option value="">请选择</option>
      {rateChoices.map((rate) => (
        <option key={rate} value={rate}>
          {rate}%
        </option>
      ))}
    </select>
  );
}
