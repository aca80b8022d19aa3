/** A plain field of the question form, with its messages. */

import type { ReactNode } from 'react';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';

/** Props of an input: controlled with client JS, with only a default value without. */
export function controlled(
  context: Pick<QuestionFormContext, 'dispatch'>,
  value: string,
  change: (value: string) => void,
) {
  if (!context.dispatch) return { defaultValue: value };
  return { value, onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) };
}

interface PlainFieldProps {
  label: string;
  /** Path as in the messages. */
  path: string;
  hint?: string;
  required?: boolean;
  context: Pick<QuestionFormContext, 'prefix' | 'errors'>;
  children: (ids: ControlIds) => ReactNode;
}

export interface ControlIds {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  'aria-required'?: true;
}

export function PlainField({ label, path, hint, required, context, children }: PlainFieldProps) {
  const id = context.prefix + path;
  const messages = context.errors[path];
  const described = [messages && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children({
        id,
        ...(messages ? { 'aria-invalid': true } : {}),
        ...(described ? { 'aria-describedby': described } : {}),
        ...(required ? { 'aria-required': true } : {}),
      })}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldMessages id={id} messages={messages} />
    </div>
  );
}

export function FieldMessages({ id, messages }: { id: string; messages: string[] | undefined }) {
  if (!messages) return null;
  return (
    <p className={styles.error} id={`${id}-error`}>
      {messages.join('；')}
    </p>
  );
}
