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

/** `closeHref` of a dialog tells the frame that what stands around it is out of reach; a screen of its own has `backHref`. */
type Opened = { idempotencyKey: string } & ({ closeHref: string } | { backHref: string });

interface FormPlace {
  opened(url: URL): Opened;
  /** Where the form goes on to. */
  behind(url: URL): string;
}

export interface FormDialogOptions<C extends AnyCall> extends DialogWords {
  call: C;
  /** The declaration in screens.ts of the dialog, or where a screen leads back to. */
  at: FormPlace;
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

export interface FormPageProps<Data> {
  loaderData: Data;
  actionData?: Refused | undefined;
}

export type AnyLoader = (...asked: never[]) => unknown;
export type DataOf<Loader extends AnyLoader> = Awaited<ReturnType<Loader>>;
/** What its page knows of the form. */
export type ShownForm<C extends AnyCall> = DialogForLoader<C> & {
  closeHref: string;
  backHref: string;
  idempotencyKey: string;
};

/** Hidden fields in which a form sends back what it was opened with, where its call takes them. */
export function HiddenBack({ call }: { call: AnyCall }) {
  const taken = { ...call.query?.entries, ...call.body?.entries };
  return ['seen', 'acknowledged'].map((name) => name in taken && <HiddenField key={name} name={name} />);
}

export function formDialog<C extends AnyCall>(options: FormDialogOptions<C>) {
  const { call, width, noValidate, title, submit, tone, draft } = options;
  return {
    ...options,
    meta: ({ loaderData }: { loaderData?: { title?: string } | undefined }) => titled(loaderData?.title ?? title),
    /** The dialog's page; `body` draws what stands in its form. */
    page: <Loader extends AnyLoader = () => object>(
      body: (fields: FieldsOf<NamesOf<C>>, data: DataOf<Loader>) => ReactNode,
    ) =>
      function FormDialogPage({ loaderData, actionData }: FormPageProps<DataOf<Loader>>) {
        const data = loaderData as ShownForm<C>;
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
              <HiddenBack call={call} />
              {body(fields, loaderData)}
            </DialogForm>
          </Dialog>
        );
      },
  };
}
