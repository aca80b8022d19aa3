/** A form all of whose fields client JS checks (validation.tsx), on a screen that hydrates. */
import type { ReactNode } from 'react';
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { NamesOf } from '../fields-of.ts';
import { Form, type FormProps } from '../form.tsx';
import type { Values } from '../form-state.ts';
import { type Schema, ValidatedFields, type ValidationProps } from './validation.tsx';

interface CheckedFormProps<S extends Schema, Name extends string>
  extends ValidationProps<S>,
    Omit<FormProps, keyof ValidationProps<S> | 'checked'> {
  values?: Values<Name>;
}

function ValidatedForm<S extends Schema>(props: CheckedFormProps<S, string>) {
  const { schema, read, refused, values, children, ...form } = props;
  return (
    <Form {...form} refused={refused} checked>
      <ValidatedFields schema={schema} read={read} refused={refused} values={values ?? {}}>
        {children}
      </ValidatedFields>
    </Form>
  );
}

/** That of a call, beside `formOf`: a form that nobody checks loads none of it. */
export const validatedFormOf = <C extends AnyCall>(): (<S extends Schema>(
  props: CheckedFormProps<S, NamesOf<C>>,
) => ReactNode) => ValidatedForm;
