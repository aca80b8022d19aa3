/** Fields typed by the names of a call, without a form around them, as islands use them. */
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

/** Field names of a call: body, query and path. */
export type NamesOf<C extends AnyCall> = Names<RequestOf<C>['body' | 'query' | 'params']>;

/** A form says itself what its fields show: it knows what was typed before it was refused. */
type Props<Field extends keyof typeof fields> = Omit<
  Parameters<(typeof fields)[Field]>[0],
  'defaultValue' | 'defaultChecked'
>;

export type FieldsOf<Name extends string> = {
  [Field in keyof typeof fields]: (props: Props<Field> & { name: Name }) => ReactNode;
};

/** `Other`: fields that are no text in the call, such as a file or date. */
export const fieldsOf = <C extends AnyCall, Other extends string = never>(): FieldsOf<NamesOf<C> | Other> => fields;
