import type { AnyCall } from '#server/platform/calls/call.ts';
import { type FormDialogOptions, formDialog } from './form-dialog.tsx';

interface ConfirmOptions<C extends AnyCall> extends Omit<FormDialogOptions<C>, 'title' | 'submit'> {
  /** The action, such as 删除. */
  verb: string;
  /** The kind of record, such as 公告. */
  kind: string;
  question: string;
}

interface ConfirmData {
  name: string;
  /** Replaces the kind that the dialog declares. */
  kind?: string;
  /** Numbers about the record. */
  details?: string;
  /** Effect of the action on others. */
  effect?: string;
}

/**
 * Makes a dialog that confirms an action on one record. Its loader returns `ConfirmData`, at least the record's name.
 */
export function confirmDialog<C extends AnyCall>({ verb, kind, question, ...options }: ConfirmOptions<C>) {
  const dialog = formDialog<C>({ tone: 'danger', ...options, title: verb + kind, submit: `确定${verb}` });
  const Page = dialog.page<() => ConfirmData>((_, { name, kind: what = kind, details, effect }) => (
    <>
      <p>
        {what}：<strong data-written>{name}</strong>
      </p>
      {details && <p>{details}</p>}
      {effect && (
        <p>
          <strong>{effect}。</strong>
        </p>
      )}
      <p>{question}</p>
    </>
  ));
  return { ...dialog, Page };
}
