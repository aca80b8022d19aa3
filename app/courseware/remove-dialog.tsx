/** Asks before a courseware is removed, from the library, a lesson or a class. Posts to its own address. */
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

interface RemoveDialogProps {
  name: string;
  question: string;
  closeHref: string;
  idempotencyKey: string;
  message: string | undefined;
}

export function RemoveDialog({ name, question, closeHref, idempotencyKey, message }: RemoveDialogProps) {
  return (
    <Dialog title="移除课件" closeHref={closeHref} message={message}>
      <p>
        课件：<strong>{name}</strong>
      </p>
      <p>{question}</p>
      <form method="post">
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('danger')}>
            确定移除
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
