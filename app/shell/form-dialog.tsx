/**
 * A dialog whose form sends one call: its declaration, title and page. `form-dialog.server.ts` makes its loader and
 * action.
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
  /** Name under which the browser keeps the typed text as a draft. */
  draft?: string;
}

/**
 * Data for a form page. A dialog has `closeHref`, which also makes the frame around it inert. A screen has `backHref`.
 */
type OpenedForm = { idempotencyKey: string } & ({ closeHref: string } | { backHref: string });

interface FormPlace {
  opened(url: URL): OpenedForm;
  /** Address to redirect to after success. */
  behind(url: URL): string;
}

export interface FormDialogOptions<C extends AnyCall> extends DialogWords {
  call: C;
  /** The dialog's declaration in screens.ts, or for a screen the address to return to. */
  at: FormPlace;
  /** Parameters of the call's path. Left out if the path has none. */
  params?: (url: URL) => NonNullable<RequestOf<C>['params']>;
  /** Width in pixels. */
  width?: number;
  /** True to show the API's error messages instead of the browser's. */
  noValidate?: boolean;
}

/** Data that the loader returns. Its title and labels replace the declared ones, if they depend on the record. */
export interface DialogLoaderData<C extends AnyCall> extends Partial<DialogWords> {
  /** Initial values of the fields. */
  values?: Values<NamesOf<C>>;
  /** Effect on others. It is shown, and sent back as `acknowledged`. */
  effect?: string;
  /** Address to which the dialog closes. Default: the screen below it. */
  closeHref?: string;
  [data: string]: unknown;
}

export interface FormPageProps<Data> {
  loaderData: Data;
  actionData?: RefusedForm | undefined;
}

export type AnyLoader = (...asked: never[]) => unknown;
export type DataOf<Loader extends AnyLoader> = Awaited<ReturnType<Loader>>;
/** Data of a form as its page renders it. */
export type RenderedFormData<C extends AnyCall> = DialogLoaderData<C> & {
  closeHref: string;
  backHref: string;
  idempotencyKey: string;
};

/** Renders the hidden fields `seen` and `acknowledged`, if the call takes them. */
export function HiddenEditFields({ call }: { call: AnyCall }) {
  const taken = { ...call.query?.entries, ...call.body?.entries };
  return ['seen', 'acknowledged'].map((name) => name in taken && <HiddenField key={name} name={name} />);
}

/**
 * Declares a dialog. Returns the options with the route's `meta` and a maker of its `page`; `dialogLoader` and
 * `dialogAction` make the loader and the action.
 */
export function formDialog<C extends AnyCall>(options: FormDialogOptions<C>) {
  const { call, width, noValidate, title, submit, tone, draft } = options;
  return {
    ...options,
    meta: ({ loaderData }: { loaderData?: { title?: string } | undefined }) => titleMeta(loaderData?.title ?? title),
    /** Makes the page of the dialog. `body` renders the contents of its form. */
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
