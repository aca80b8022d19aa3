/** A form all of whose fields client JS checks (validation.tsx), on a screen that hydrates. */
import type { ReactNode } from 'react';
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { NamesOf } from '../fields-of.ts';
import { Form, type FormProps } from '../form.tsx';
import type { Values } from '../form-state.ts';
import { Checked, type CheckedProps, type Schema } from './validation.tsx';

interface CheckedFormProps<S extends Schema, Name extends string>
  extends CheckedProps<S>,
    Omit<FormProps, keyof CheckedProps<S> | 'checked'> {
  values?: Values<Name>;
}

function CheckedForm<S extends Schema>(props: CheckedFormProps<S, string>) {
  const { schema, read, refused, values, children, ...form } = props;
  return (
    <Form {...form} refused={refused} checked>
      <Checked schema={schema} read={read} refused={refused} values={values ?? {}}>
        {children}
      </Checked>
    </Form>
  );
}

/** That of a call, beside `formOf`: a form that nobody checks loads none of it. */
export const checkedFormOf = <C extends AnyCall>(): (<S extends Schema>(
  props: CheckedFormProps<S, NamesOf<C>>,
) => ReactNode) => CheckedForm;
