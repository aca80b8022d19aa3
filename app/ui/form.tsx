/**
 * A posted form: where it goes, its key, its draft, and how it comes back when it was refused. Its fields
 * (form-fields.tsx) find what was typed and what was wrong with it by their names alone.
 */
import { Alert, Button, type ButtonProps } from '@mantine/core';
import { type ComponentProps, createContext, use } from 'react';
import { Draft } from './draft.tsx';
import type { Fields } from './keep-form.ts';

/** A posted form that was refused, to be shown again. */
export interface Refused {
  /** Said above the fields; may be empty where the messages at the fields say it all. */
  msg: string;
  errors?: Record<string, string[]> | undefined;
  /** Left out where the form's values are what was typed. */
  typed?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The same again, so that a retry after a lost answer is not a second request. */
  key?: string | undefined;
}

type Value = string | number | readonly (string | number)[] | null | undefined;

/** What the fields show before anything was typed, by their names. */
export type Values<Name extends string = string> = { [Field in Name]?: Value };

interface FormState {
  refused: Refused | undefined;
  values: Record<string, Value>;
}

const FormContext = createContext<FormState>({ refused: undefined, values: {} });

/** What a field of this name shows. */
export function useField(name: string) {
  const { refused, values } = use(FormContext);
  const typed = refused?.typed?.filter(([field]) => field === name).map(([, value]) => value);
  const usual = values[name] ?? [];
  const before = (Array.isArray(usual) ? usual : [usual]).map(String);
  return {
    /** Of a field that holds one value. */
    value: typed?.[0] ?? before[0],
    /** Of boxes to tick: what is not ticked was not sent. */
    chosen: typed ?? before,
    error: refused?.errors?.[name]?.[0],
  };
}

export interface FormProps<Name extends string = never> extends Omit<ComponentProps<'form'>, 'method' | 'action'> {
  /** Another address than the page's own. */
  action?: string | undefined;
  /** Made in the loader: what is sent twice is done once. */
  idempotencyKey?: string | undefined;
  refused?: Refused | undefined;
  values?: Values<NoInfer<Name>>;
  /** What is typed is kept under this name until it is sent (draft.tsx). */
  draft?: string | undefined;
  /** Where the form's fields are React's: gives them what was kept. */
  restore?: (fields: Fields) => void;
}

/** A form that shows values is that of a call (form-of.ts). */
export function Form<Name extends string = never>(props: FormProps<Name>) {
  const { idempotencyKey, refused, values = {}, draft, restore, children, ...attributes } = props;
  const key = refused?.key ?? idempotencyKey;
  return (
    <form method="post" {...attributes}>
      {key && <input type="hidden" name="idempotency_key" value={key} />}
      {draft && <Draft name={draft} {...(restore && { restore })} />}
      {refused?.msg && <Alert>{refused.msg}</Alert>}
      <FormContext value={{ refused, values }}>{children}</FormContext>
    </form>
  );
}

type SubmitProps = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps | 'type' | 'name' | 'value'> & {
    /** Which of the form's buttons was pressed. */
    intent?: string;
  };

export function Submit({ intent, ...button }: SubmitProps) {
  return <Button type="submit" {...(intent && { name: 'intent', value: intent })} {...button} />;
}
