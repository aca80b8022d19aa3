/**
 * A dialog whose form sends one call: declaration, title and page. `form-dialog.server.ts` has its loader and action.
 */
import type { ReactNode } from 'react';
import type { AnyCall, RequestOf } from '#server/platform/calls/call.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { type FieldsOf, fields, type NamesOf } from '../ui/fields-of.ts';
import type { RefusedForm, Values } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { titleMeta } from './title.ts';

interface DialogWords {
  title: string;
  /** Label of the submit button. */
  submit: string;
  tone?: 'primary' | 'danger';
  /** Name under which typed text is stored as a draft in the browser. */
  draft?: string;
}

/** A dialog has `closeHref`, which also makes the frame around it inert; a screen has `backHref`. */
type Opened = { idempotencyKey: string } & ({ closeHref: string } | { backHref: string });

interface FormPlace {
  opened(url: URL): Opened;
  /** Address to redirect to. */
  behind(url: URL): string;
}

export interface FormDialogOptions<C extends AnyCall> extends DialogWords {
  call: C;
  /** The dialog's declaration in screens.ts, or the address that a screen leads back to. */
  at: FormPlace;
  /** Params of the call's path; left out if it has none. */
  params?: (url: URL) => NonNullable<RequestOf<C>['params']>;
  /** Pixels. */
  width?: number;
  /** Shows the API's messages instead of the browser's. */
  noValidate?: boolean;
}

/** Data of the loader. Texts that depend on the record replace the declared ones. */
export interface DialogLoaderData<C extends AnyCall> extends Partial<DialogWords> {
  /** Initial field values. */
  values?: Values<NamesOf<C>>;
  /** Effect on others: shown, and sent back as `acknowledged`. */
  effect?: string;
  /** Address to close to; by default the screen below. */
  closeHref?: string;
  [data: string]: unknown;
}

export interface FormPageProps<Data> {
  loaderData: Data;
  actionData?: RefusedForm | undefined;
}

export type AnyLoader = (...asked: never[]) => unknown;
export type DataOf<Loader extends AnyLoader> = Awaited<ReturnType<Loader>>;
/** Data of a rendered form. */
export type RenderedFormData<C extends AnyCall> = DialogLoaderData<C> & {
  closeHref: string;
  backHref: string;
  idempotencyKey: string;
};

/** Hidden fields `seen` and `acknowledged`, if the call takes them. */
export function HiddenEditFields({ call }: { call: AnyCall }) {
  const taken = { ...call.query?.entries, ...call.body?.entries };
  return ['seen', 'acknowledged'].map((name) => name in taken && <HiddenField key={name} name={name} />);
}

export function formDialog<C extends AnyCall>(options: FormDialogOptions<C>) {
  const { call, width, noValidate, title, submit, tone, draft } = options;
  return {
    ...options,
    meta: ({ loaderData }: { loaderData?: { title?: string } | undefined }) => titleMeta(loaderData?.title ?? title),
    /** Makes the dialog's page; `body` renders the contents of its form. */
    page: <Loader extends AnyLoader = () => object>(
      body: (fields: FieldsOf<NamesOf<C>>, data: DataOf<Loader>) => ReactNode,
    ) =>
      function FormDialogPage({ loaderData, actionData }: FormPageProps<DataOf<Loader>>) {
        const data = loaderData as RenderedFormData<C>;
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
              <HiddenEditFields call={call} />
              {body(fields, loaderData)}
            </DialogForm>
          </Dialog>
        );
      },
  };
}
