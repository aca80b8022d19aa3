/** Asks before something is done for good. Posts to its own address. */
import { Dialog, DialogForm } from './dialog.tsx';
import type { Refused } from './form.tsx';

interface ConfirmWords {
  title: string;
  /** What kind of thing it is, such as 公告. */
  kind: string;
  question: string;
  /** The words of the button. */
  confirm: string;
}

interface ConfirmRouteProps {
  loaderData: { name: string; closeHref: string; idempotencyKey: string };
  actionData?: Refused | undefined;
}

/** The component of a route that asks nothing else; its loader says what it is about by name. */
export const confirmDialog = ({ title, kind, question, confirm }: ConfirmWords) =>
  function Confirm({ loaderData: { name, closeHref, idempotencyKey }, actionData }: ConfirmRouteProps) {
    return (
      <Dialog title={title} closeHref={closeHref}>
        <p>
          {kind}：<strong>{name}</strong>
        </p>
        <p>{question}</p>
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit={confirm}
          tone="danger"
        />
      </Dialog>
    );
  };
