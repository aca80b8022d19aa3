/** A screen whose form sends one call. `form-dialog.server.ts` makes its loader and action. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnyCall } from '#server/platform/calls/call.ts';
import { type FieldsOf, fields, type NamesOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import { recordActionsClass, recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import {
  type AnyLoader,
  type DataOf,
  type FormDialogOptions,
  type FormPageProps,
  HiddenEditFields,
  type RenderedFormData,
} from './form-dialog.tsx';
import { titleMeta } from './title.ts';

interface FormScreenOptions<C extends AnyCall> extends Omit<FormDialogOptions<C>, 'at' | 'width' | 'noValidate'> {
  /** Address to redirect to after success, unless the action returns another one. */
  back: (url: URL) => string;
  /** True for a cancel link beside the submit button. */
  cancel?: boolean;
}

export function formScreen<C extends AnyCall>({ back, cancel, ...options }: FormScreenOptions<C>) {
  const { call, title, submit, tone, draft } = options;
  return {
    ...options,
    at: { opened: (url: URL) => ({ backHref: back(url), idempotencyKey: crypto.randomUUID() }), behind: back },
    /** `subject` is the record's name. It becomes part of the page title. */
    meta: ({ loaderData }: { loaderData?: { subject?: string } | undefined }) => titleMeta(title, loaderData?.subject),
    /** Makes the page of the screen. `body` renders the contents of the form, `above` the part before the form. */
    page: <Loader extends AnyLoader = () => object>(
      body: (fields: FieldsOf<NamesOf<C>>, data: DataOf<Loader>) => ReactNode,
      above?: (data: DataOf<Loader>) => ReactNode,
    ) =>
      function FormScreenPage({ loaderData, actionData }: FormPageProps<DataOf<Loader>>) {
        const data = loaderData as RenderedFormData<C>;
        const button = <Submit {...(tone === 'danger' && { color: 'red' })}>{data.submit ?? submit}</Submit>;
        return (
          <Screen card title={data.title ?? title}>
            {above?.(loaderData)}
            <Form<string>
              idempotencyKey={data.idempotencyKey}
              refused={actionData}
              values={{ acknowledged: data.effect, ...data.values }}
              draft={data.draft ?? draft}
              className={recordFormClass}
              noValidate
            >
              <HiddenEditFields call={call} />
              {body(fields, loaderData)}
              {cancel ? (
                <div className={recordActionsClass}>
                  {button}
                  <Button component="a" href={data.backHref} variant="default">
                    取消
                  </Button>
                </div>
              ) : (
                button
              )}
            </Form>
          </Screen>
        );
      },
  };
}
