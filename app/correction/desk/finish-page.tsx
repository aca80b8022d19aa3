/** The end of a report as a dialog over it, with an optional comment. */
import type { storeReview } from '#server/correction/contract.ts';
import { commentLimit } from '#server/correction/rules.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Refused } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';

interface FinishPageProps {
  closeHref: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

const { AreaField, DialogForm } = formOf<typeof storeReview>();

export function FinishPage({ closeHref, idempotencyKey, refused }: FinishPageProps) {
  return (
    <Dialog title="完成批改" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={refused}
        submit="完成批改"
        noValidate
        draft={`finish ${closeHref}`}
      >
        <p>完成后不能再修改评分。</p>
        <AreaField name="comment" label="总评语" description={`选填，最多${commentLimit}个字`} rows={4} />
      </DialogForm>
    </Dialog>
  );
}
