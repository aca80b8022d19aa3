/** A dialog whose form sends one call: its declaration, its title and its page. `form-dialog.server.ts` has its loader and action. */
import type { ReactNode } from 'react';
import type { AnyCall, RequestOf } from '#server/platform/calls/call.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { type FieldsOf, fields, type NamesOf } from '../ui/fields-of.ts';
import type { Refused, Values } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { titled } from './title.ts';

interface DialogWords {
  title: string;
  /** Words of the button that sends the form. */
  submit: string;
  tone?: 'primary' | 'danger';
  /** Typed text is kept in the browser under this name until it is sent. */
  draft?: string;
}

interface DialogPlace {
  opened(url: URL): { closeHref: string; idempotencyKey: string };
  behind(url: URL): string;
}

export interface FormDialogOptions<C extends AnyCall> extends DialogWords {
  call: C;
  /** The dialog's declaration in screens.ts. */
  at: DialogPlace;
  /** The records in the call's path; left out where it names none. */
  params?: (url: URL) => NonNullable<RequestOf<C>['params']>;
  /** Pixels. */
  width?: number;
  /** The API's sentences in place of the browser's. */
  noValidate?: boolean;
}

/** What a loader may say of the form. Words that depend on the record replace those of the declaration. */
export interface DialogForLoader<C extends AnyCall> extends Partial<DialogWords> {
  /** What the fields show before anything is typed. */
  values?: Values<NamesOf<C>>;
  /** What others notice of it: sent back as `acknowledged`. */
  effect?: string;
  /** Where it closes to, if not to what it opens over. */
  closeHref?: string;
  /** What its page shows beside. */
  [data: string]: unknown;
}

interface FormDialogProps<Data> {
  loaderData: Data;
  actionData?: Refused | undefined;
}

type DataOf<Loader extends (...asked: never[]) => unknown> = Awaited<ReturnType<Loader>>;

/** Fields in which every form sends back what it was opened with, where its call takes them. */
const unseen = ['seen', 'acknowledged'];

export function formDialog<C extends AnyCall>(options: FormDialogOptions<C>) {
  const { call, width, noValidate, title, submit, tone, draft } = options;
  const taken = { ...call.query?.entries, ...call.body?.entries };
  const hidden = unseen.filter((name) => name in taken);
  return {
    ...options,
    meta: ({ loaderData }: { loaderData?: { title?: string } | undefined }) => titled(loaderData?.title ?? title),
    /** The dialog's page; `body` draws what stands in its form. */
    page: <Loader extends (...asked: never[]) => unknown = () => object>(
      body: (fields: FieldsOf<NamesOf<C>>, data: DataOf<Loader>) => ReactNode,
    ) =>
      function FormDialogPage({ loaderData, actionData }: FormDialogProps<DataOf<Loader>>) {
        const data = loaderData as DialogForLoader<C> & ReturnType<DialogPlace['opened']>;
        return (
          <Dialog title={data.title ?? title} closeHref={data.closeHref} {...(width && { width })}>
            <DialogForm<string>
              closeHref={data.closeHref}
              idempotencyKey={data.idempotencyKey}
              refused={actionData}
              values={{ acknowledged: data.effect, ...data.values }}
              submit={data.submit ?? submit}
              tone={data.tone ?? tone}
              draft={data.draft ?? draft}
              noValidate={noValidate}
            >
              {hidden.map((name) => (
                <HiddenField key={name} name={name} />
              ))}
              {body(fields, loaderData)}
            </DialogForm>
          </Dialog>
        );
      },
  };
}
