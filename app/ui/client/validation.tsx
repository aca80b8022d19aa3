/**
 * Validates a form in the browser by the API's schema: the same messages as without client JS, but without a request.
 * The server still checks the rules that need its data.
 */
import { Alert } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type * as v from 'valibot';
import styles from '../form-fields.module.css';
import { FormContext, type RefusedForm, type Values } from '../form-state.ts';
import { dismissFlash, messagesOf } from './form-messages.ts';

export type Schema = v.GenericSchema<Record<string, unknown>, unknown>;

export interface ValidationProps<S extends Schema> {
  schema: S;
  read: (form: FormData) => v.InferInput<S>;
  refused: RefusedForm | undefined;
  values?: Values;
  children: ReactNode;
}

export function ValidatedFields<S extends Schema>({
  schema,
  read,
  refused,
  values = {},
  children,
}: ValidationProps<S>) {
  const place = useRef<HTMLDivElement>(null);
  const [msg, setMsg] = useState(refused?.msg);
  /** True if the messages come from the check in the browser. Messages of the server stay until their field changes. */
  const [isOwn, setOwn] = useState(false);
  const check = schemaResolver(schema, { sync: true });
  const form = useForm<Record<string, unknown>>({
    mode: 'uncontrolled',
    initialErrors: refused?.errors ?? {},
    clearInputErrorOnChange: false,
    validate: check,
  });

  const submit = useEffectEvent((event: SubmitEvent) => {
    form.setValues(read(new FormData(event.currentTarget as HTMLFormElement)));
    const found = form.validate();
    const [first] = Object.values(messagesOf(found.errors));
    if (!first) return;
    event.preventDefault();
    dismissFlash();
    setOwn(true);
    setMsg(first[0]);
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  });

  // Removes the messages of fields that are valid now.
  const recheck = useEffectEvent((changed: HTMLFormElement, name: string) => {
    const values = read(new FormData(changed));
    form.setValues(values);
    const found = check(values);
    // A control without a name belongs to the rich text editor.
    const isConcerned = (field: string) => isOwn || field === name || name === '';
    const left = Object.entries(form.errors).flatMap(([field, said]) => {
      if (!isConcerned(field)) return [[field, said]];
      return found[field] ? [[field, found[field]]] : [];
    });
    form.setErrors(Object.fromEntries(left));
    if (left.length === 0) setMsg(undefined);
  });
  const change = useEffectEvent(({ currentTarget, target }: Event) => {
    if (Object.keys(form.errors).length === 0) return;
    const { name = '' } = target as HTMLInputElement;
    // Waits, because a rich text reaches its field only after React has rendered.
    setTimeout(() => recheck(currentTarget as HTMLFormElement, name));
  });

  useEffect(() => {
    const around = place.current?.closest('form');
    const stop = new AbortController();
    around?.addEventListener('submit', submit, { signal: stop.signal });
    for (const kind of ['input', 'change'] as const) around?.addEventListener(kind, change, { signal: stop.signal });
    return () => stop.abort();
  }, []);

  return (
    <div ref={place} className={styles.checked}>
      {msg && <Alert>{msg}</Alert>}
      <FormContext value={{ refused: { ...refused, msg: '', errors: messagesOf(form.errors) }, values }}>
        {children}
      </FormContext>
    </div>
  );
}
