/** What a form tells its fields (form.tsx). It knows no router: fields also stand in islands. */
import { createContext, use } from 'react';

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

export const FormContext = createContext<FormState>({ refused: undefined, values: {} });

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
