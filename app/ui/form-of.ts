/**
 * The form and fields of a call, typed by its field names:
 *
 *     const { DialogForm, TextField } = formOf<typeof editNotice>();
 */
import type { ReactNode } from 'react';
import type { AnyCall } from '#server/platform/calls/call.ts';
import { DialogForm, type DialogFormProps } from './dialog.tsx';
import { type FieldsOf, fields, type NamesOf } from './fields-of.ts';
import { Form, type FormProps } from './form.tsx';

const form = { Form, DialogForm, ...fields };

type FormOf<Name extends string> = FieldsOf<Name> & {
  Form: (props: FormProps<Name>) => ReactNode;
  DialogForm: (props: DialogFormProps<Name>) => ReactNode;
};

/** `Other` lists fields that are not text in the call, such as a file or date. */
export const formOf = <C extends AnyCall, Other extends string = never>(): FormOf<NamesOf<C> | Other> => form;
