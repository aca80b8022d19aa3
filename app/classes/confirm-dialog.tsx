/** Asks before something of a class is done for good. Posts to its own address. */
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What kind of thing it is, such as 公告, and its name. */
  kind: string;
  name: string;
  question: string;
  /** The words of the button. */
  confirm: string;
  closeHref: string;
  idempotencyKey: string;
  message: string | undefined;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, kind, name, question, confirm, closeHref, idempotencyKey, message } = props;
  return (
    <Dialog title={title} closeHref={closeHref} message={message}>
      <p>
        {kind}：<strong>{name}</strong>
      </p>
      <p>{question}</p>
      <form method="post">
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('danger')}>
            {confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
