/** The end of a report as a dialog over it, with an optional comment. */
import { commentLimit } from '#server/correction/rules.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { controlClass, Field } from '../../ui/field.tsx';

/** The form came back: what was typed, the messages, and its key. */
export interface RefusedFinish {
  msg: string;
  errors?: Record<string, string[]> | undefined;
  typed: readonly (readonly [string, string])[];
  key: string | undefined;
}

interface FinishPageProps {
  closeHref: string;
  idempotencyKey: string;
  refused: RefusedFinish | undefined;
}

export function FinishPage({ closeHref, idempotencyKey, refused }: FinishPageProps) {
  const error = refused?.errors?.comment?.[0];
  return (
    <Dialog title="完成批改" closeHref={closeHref} message={error ? undefined : refused?.msg}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={refused?.key ?? idempotencyKey}
        submit="完成批改"
        noValidate
        draft={`finish ${closeHref}`}
      >
        <p>完成后不能再修改评分。</p>
        <Field label="总评语" id="comment" error={error} hint={`选填，最多${commentLimit}个字`}>
          <textarea
            id="comment"
            name="comment"
            rows={4}
            className={controlClass}
            defaultValue={new Map<string, string>(refused?.typed).get('comment')}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'comment-error' : undefined}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}
