/** A dialog that only asks whether something may be done for good. */
import type { AnyCall } from '#server/platform/calls/call.ts';
import { type FormDialogOptions, formDialog } from './form-dialog.tsx';

interface ConfirmOptions<C extends AnyCall> extends Omit<FormDialogOptions<C>, 'title' | 'submit'> {
  /** What is done, such as 删除. */
  verb: string;
  /** What it is done to, such as 公告. */
  kind: string;
  question: string;
}

interface ConfirmData {
  /** Of the record. */
  name: string;
  /** In place of the usual, where the record says. */
  kind?: string;
  /** What it is about in figures. */
  details?: string;
  /** What others notice of it. */
  effect?: string;
}

/** Its loader answers the name of the record, and what else `ConfirmData` has. */
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
