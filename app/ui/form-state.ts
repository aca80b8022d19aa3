/** State that a form (form.tsx) shares with its fields. Does not import the router, because islands use fields too. */
import { createContext, use } from 'react';

/** A refused form, to be shown again. */
export interface RefusedForm {
  /** Message above the fields. Empty if the field errors say everything. */
  msg: string;
  errors?: Record<string, string[]> | undefined;
  /** The posted values. Left out if `values` has them already. */
  typed?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The same idempotency key again, so that a retry after a lost response does not count twice. */
  key?: string | undefined;
}

type Value = string | number | readonly (string | number)[] | null | undefined;

export type Values<Name extends string = string> = { [Field in Name]?: Value };

interface FormState {
  refused: RefusedForm | undefined;
  values: Record<string, Value>;
}

export const FormContext = createContext<FormState>({ refused: undefined, values: {} });

export function useField(name: string) {
  const { refused, values } = use(FormContext);
  const typed = refused?.typed?.filter(([field]) => field === name).map(([, value]) => value);
  const usual = values[name] ?? [];
  const before = (Array.isArray(usual) ? usual : [usual]).map(String);
  return {
    /** Value of a field with a single value. */
    value: typed?.[0] ?? before[0],
    /** Values of checkboxes. Unticked ones are not posted. */
    chosen: typed ?? before,
    error: refused?.errors?.[name]?.[0],
  };
}
