/** Returns form fields whose names are checked against the fields of a call, without a form. Islands use them. */
import type { ReactNode } from 'react';
import type { AnyCall, RequestOf } from '#server/platform/calls/call.ts';
import { CountedText } from './counted-text.tsx';
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

export const fields = {
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

type Names<Sent> = Sent extends object ? keyof Sent & string : never;

/** Names of the fields of a call, in its body, query and path. */
export type NamesOf<C extends AnyCall> = Names<RequestOf<C>['body' | 'query' | 'params']>;

/** Fields take no default values: the form provides them, because it knows the values typed before a refusal. */
type Props<Field extends keyof typeof fields> = Omit<
  Parameters<(typeof fields)[Field]>[0],
  'defaultValue' | 'defaultChecked'
>;

export type FieldsOf<Name extends string> = {
  [Field in keyof typeof fields]: (props: Props<Field> & { name: Name }) => ReactNode;
};

/** `Other` lists fields that are not text in the call, such as a file or date. */
export const fieldsOf = <C extends AnyCall, Other extends string = never>(): FieldsOf<NamesOf<C> | Other> => fields;
