/**
 * A posted form: action, idempotency key, draft, and its refusal. Its fields (form-fields.tsx) find their values and
 * errors by name.
 */
import { Alert, Button, type ButtonProps, type ElementProps } from '@mantine/core';
import { type ComponentProps, createContext, use } from 'react';
import { type FormOwner, formOwnerField, ownerValue } from '../lib/form-owner.ts';
import type { Fields } from './client/drafts/keep-form.ts';
import { Draft } from './draft.tsx';
import { FormContext, type RefusedForm, type Values } from './form-state.ts';
import { useRootData } from './root-data.ts';

/** Owner of the forms on a learner's page, in place of the signed-in staff. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined);

export interface FormProps<Name extends string = never> extends Omit<ComponentProps<'form'>, 'method' | 'action'> {
  /** Address to post to; by default the page's own. */
  action?: string | undefined;
  /** Made by the loader: makes a double submit one request. */
  idempotencyKey?: string | undefined;
  refused?: RefusedForm | undefined;
  /** True if client JS validates the fields (validation.tsx), which then show refusals themselves. */
  checked?: boolean;
  values?: Values<NoInfer<Name>>;
  /** Name under which typed text is kept as a draft (draft.tsx). */
  draft?: string | undefined;
  /** For React-controlled fields: receives the draft's values. */
  restore?: (fields: Fields) => void;
}

export function useFormOwner(): FormOwner | undefined {
  const person = useRootData()?.me;
  return use(FormOwnerContext) ?? person;
}

/** Use it through `formOf` (form-of.ts), which types its values by a call. */
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
  /** Value of the pressed button. */
  intent?: string;
}

export function Submit({ intent, ...button }: SubmitProps) {
  return <Button type="submit" {...(intent && { name: 'intent', value: intent })} {...button} />;
}
