/** A form whose fields client JS validates (validation.tsx), for hydrated screens. */
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

/**
 * Returns a ValidatedForm that accepts only field names of the call C. Separate from `formOf`, so that other forms do
 * not load the validation.
 */
export const validatedFormOf = <C extends AnyCall>(): (<S extends Schema>(
  props: CheckedFormProps<S, NamesOf<C>>,
) => ReactNode) => ValidatedForm;
