/** A dialog that only asks whether something may be done for good. It posts to its own address. */
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Refused } from '../ui/form-state.ts';
import { titled } from './title.ts';

interface ConfirmWords {
  /** What is done, such as 删除. */
  verb: string;
  /** What kind of thing it is done to, such as 公告. */
  kind: string;
  question: string;
}

interface ConfirmRouteProps {
  /** `details`: what it is about in figures. */
  loaderData: { name: string; details?: string; closeHref: string; idempotencyKey: string };
  actionData?: Refused | undefined;
}

/**
 * The title and the component of its route. Its loader gives the name of what it is about, and what `opened` says; its
 * action is `takeForm`'s.
 */
export function confirmDialog({ verb, kind, question }: ConfirmWords) {
  const title = verb + kind;
  function Confirm({ loaderData: { name, details, closeHref, idempotencyKey }, actionData }: ConfirmRouteProps) {
    return (
      <Dialog title={title} closeHref={closeHref}>
        <p>
          {kind}：<strong>{name}</strong>
        </p>
        {details && <p>{details}</p>}
        <p>{question}</p>
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit={`确定${verb}`}
          tone="danger"
        />
      </Dialog>
    );
  }
  return { meta: () => titled(title), Confirm };
}
