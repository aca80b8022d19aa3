/**
 * A form of a call: the form and its fields, whose names and values are those that the call takes.
 *
 *     const { DialogForm, TextField } = formOf<typeof editNotice>();
 */
import type { ReactNode } from 'react';
import type { AnyCall, RequestOf } from '#server/platform/calls/call.ts';
import { CountedText } from './counted-text.tsx';
import { DialogForm, type DialogFormProps } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';
import {
  AreaField,
  CheckField,
  ChecksField,
  DateTimeField,
  FileField,
  GroupField,
  NumberField,
  PasswordField,
  RadioField,
  SelectField,
  TextField,
} from './form-fields.tsx';

const fields = {
  AreaField,
  CheckField,
  ChecksField,
  CountedText,
  DateTimeField,
  FileField,
  GroupField,
  NumberField,
  PasswordField,
  RadioField,
  SelectField,
  TextField,
};

const form = { Form, DialogForm, ...fields };

type Names<Sent> = Sent extends object ? keyof Sent & string : never;

/** The names that a call takes: of its body, its query and its path. */
export type NamesOf<C extends AnyCall> = Names<RequestOf<C>['body' | 'query' | 'params']>;

type FormOf<Name extends string> = {
  [Field in keyof typeof fields]: (props: Parameters<(typeof fields)[Field]>[0] & { name: Name }) => ReactNode;
} & {
  Form: (props: FormProps<Name>) => ReactNode;
  DialogForm: (props: DialogFormProps<Name>) => ReactNode;
};

/** `Other` are fields that the call takes as something else, such as a file or a moment. */
export const formOf = <C extends AnyCall, Other extends string = never>(): FormOf<NamesOf<C> | Other> => form;
