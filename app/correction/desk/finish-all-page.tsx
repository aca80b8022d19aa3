/** The end of a pass by question: every report of the pile whose answers are marked, in one go. */
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import type { Refused } from '../../ui/form.tsx';
import type { DeskWords } from './desk.ts';

interface FinishAllPageProps {
  words: DeskWords;
  count: number;
  closeHref: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

export function FinishAllPage({ words, count, closeHref, idempotencyKey, refused }: FinishAllPageProps) {
  return (
    <Dialog title={`完成全部已批改的${words.report}`} closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={refused}
        submit="完成批改"
        disabled={count === 0}
      >
        <p>
          本{words.pile}有 {count} 份{words.report}的题目已全部批改。完成后不能再修改评分。
        </p>
      </DialogForm>
    </Dialog>
  );
}
