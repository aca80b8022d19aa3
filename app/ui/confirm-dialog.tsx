/** Asks before something is done for good. Posts to its own address. */
import { Dialog, DialogForm } from './dialog.tsx';

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
      <DialogForm closeHref={closeHref} idempotencyKey={idempotencyKey} submit={confirm} tone="danger" />
    </Dialog>
  );
}

interface ConfirmRouteProps {
  loaderData: Pick<ConfirmDialogProps, 'name' | 'closeHref' | 'idempotencyKey'>;
  actionData?: { msg: string; key?: string | undefined } | undefined;
}

/** The component of a route that asks nothing else; `asks` and `confirmed` are its loader's and its action's. */
export const confirmDialog = (words: Pick<ConfirmDialogProps, 'title' | 'kind' | 'question' | 'confirm'>) =>
  function Confirm({ loaderData, actionData }: ConfirmRouteProps) {
    return (
      <ConfirmDialog
        {...words}
        {...loaderData}
        message={actionData?.msg}
        idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
      />
    );
  };
