/** Asks before a courseware is removed, from the library, a lesson or a class. Posts to its own address. */
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RemoveDialogProps {
  name: string;
  question: string;
  closeHref: string;
  idempotencyKey: string;
  message: string | undefined;
}

export function RemoveDialog(props: RemoveDialogProps) {
  return <ConfirmDialog {...props} title="移除课件" kind="课件" confirm="确定移除" />;
}
