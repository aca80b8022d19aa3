/** The end of a pass by question: every report of the pile whose answers are marked, in one go. */
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import type { DeskWords } from './desk.ts';

interface FinishAllPageProps {
  words: DeskWords;
  count: number;
  closeHref: string;
  idempotencyKey: string;
  refused: { msg: string; key: string | undefined } | undefined;
}

export function FinishAllPage({ words, count, closeHref, idempotencyKey, refused }: FinishAllPageProps) {
  return (
    <Dialog title={`完成全部已批改的${words.report}`} closeHref={closeHref} message={refused?.msg}>
      <form method="post">
        <input type="hidden" name="idempotency_key" value={refused?.key ?? idempotencyKey} />
        <p>
          本{words.pile}有 {count} 份{words.report}的题目已全部批改。完成后不能再修改评分。
        </p>
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')} disabled={count === 0}>
            完成批改
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
