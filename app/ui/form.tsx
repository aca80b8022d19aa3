/**
 * A posted form: where it goes, its key, its draft, and how it comes back when it was refused. Its fields
 * (form-fields.tsx) find what was typed and what was wrong with it by their names alone.
 */
import { Alert, Button, type ButtonProps, type ElementProps } from '@mantine/core';
import { type ComponentProps, createContext, use } from 'react';
import { type FormOwner, ownerField, ownerValue } from '../lib/form-owner.ts';
import type { Fields } from './client/drafts/keep-form.ts';
import { Draft } from './draft.tsx';
import { FormContext, type Refused, type Values } from './form-state.ts';
import { useRootData } from './root-data.ts';

/** Owner of the forms on a learner's page, in place of the signed-in staff. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined);

export interface FormProps<Name extends string = never> extends Omit<ComponentProps<'form'>, 'method' | 'action'> {
  /** Another address than the page's own. */
  action?: string | undefined;
  /** Made in the loader: a form that is sent twice acts once. */
  idempotencyKey?: string | undefined;
  refused?: Refused | undefined;
  /** Its fields are checked (validation.tsx), and say themselves why it was refused. */
  checked?: boolean;
  values?: Values<NoInfer<Name>>;
  /** What is typed is kept under this name until it is sent (draft.tsx). */
  draft?: string | undefined;
  /** Where the form's fields are React's: gives them what was kept. */
  restore?: (fields: Fields) => void;
}

/** Owner of the forms on this page. */
export function useFormOwner(): FormOwner | undefined {
  const person = useRootData()?.me;
  return use(FormOwnerContext) ?? person;
}

/** A form that shows values is that of a call (form-of.ts). */
export function Form<Name extends string = never>(props: FormProps<Name>) {
  const { idempotencyKey, refused, checked, values = {}, draft, restore, children, ...attributes } = props;
  const key = refused?.key ?? idempotencyKey;
  const owner = useFormOwner();
  return (
    <form method="post" {...attributes}>
      {owner && <input type="hidden" name={ownerField} value={ownerValue(owner)} />}
      {key && <input type="hidden" name="idempotency_key" value={key} />}
      {draft && <Draft name={draft} {...(restore && { restore })} />}
      {refused?.msg && !checked && <Alert>{refused.msg}</Alert>}
      <FormContext value={{ refused, values }}>{children}</FormContext>
    </form>
  );
}

interface SubmitProps extends Omit<ButtonProps & ElementProps<'button', keyof ButtonProps>, 'type' | 'name' | 'value'> {
  /** Which of the form's buttons was pressed. */
  intent?: string;
}

export function Submit({ intent, ...button }: SubmitProps) {
  return <Button type="submit" {...(intent && { name: 'intent', value: intent })} {...button} />;
}
