/**
 * A posted form: action, idempotency key, draft and refusal. Its fields (form-fields.tsx) get their values and errors
 * by name.
 */
import { Alert, Button, type ButtonProps, type ElementProps } from '@mantine/core';
import { type ComponentProps, createContext, use } from 'react';
import { type FormOwner, formOwnerField, ownerValue } from '../lib/form-owner.ts';
import type { Fields } from './client/drafts/keep-form.ts';
import { Draft } from './draft.tsx';
import { FormContext, type RefusedForm, type Values } from './form-state.ts';
import { useRootData } from './root-data.ts';

/** Owner of the forms on a learner's page, where no member of staff is signed in. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined);

export interface FormProps<Name extends string = never> extends Omit<ComponentProps<'form'>, 'method' | 'action'> {
  /** Address to post to. Default: the address of the page. */
  action?: string | undefined;
  /** Created by the loader. Makes a double submit count once. */
  idempotencyKey?: string | undefined;
  refused?: RefusedForm | undefined;
  /** True if client JS validates the fields (validation.tsx). It then also shows the errors of a refusal. */
  checked?: boolean;
  values?: Values<NoInfer<Name>>;
  /** Name under which the browser keeps the typed text as a draft (draft.tsx). */
  draft?: string | undefined;
  /** For fields that React controls: receives the values of the draft. */
  restore?: (fields: Fields) => void;
}

export function useFormOwner(): FormOwner | undefined {
  const person = useRootData()?.me;
  return use(FormOwnerContext) ?? person;
}

/** A posted form. Use it through `formOf` (form-of.ts), which checks the names of its values against a call. */
export function Form<Name extends string = never>(props: FormProps<Name>) {
  const { idempotencyKey, refused, checked, values = {}, draft, restore, children, ...attributes } = props;
  const key = refused?.key ?? idempotencyKey;
  const owner = useFormOwner();
  return (
    <form method="post" {...attributes}>
      {owner && <input type="hidden" name={formOwnerField} value={ownerValue(owner)} />}
      {key && <input type="hidden" name="idempotency_key" value={key} />}
      {draft && <Draft name={draft} {...(restore && { restore })} />}
      {refused?.msg && !checked && <Alert>{refused.msg}</Alert>}
      <FormContext value={{ refused, values }}>{children}</FormContext>
    </form>
  );
}

interface SubmitProps extends Omit<ButtonProps & ElementProps<'button', keyof ButtonProps>, 'type' | 'name' | 'value'> {
  /** Value that the button sends as `intent`. */
  intent?: string;
}

export function Submit({ intent, ...button }: SubmitProps) {
  return <Button type="submit" {...(intent && { name: 'intent', value: intent })} {...button} />;
}
