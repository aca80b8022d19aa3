/** A labelled control with its message: the form's fields outside the filters. */
import type { ReactNode } from 'react';
import styles from './field.module.css';

/** Of native inputs, selects and text areas. */
export const controlClass = styles.control ?? '';

interface FieldProps {
  label: string;
  /** The id of the control inside. */
  id: string;
  error?: string | undefined;
  /** The error came while typing, and is read out. */
  isAlert?: boolean;
  hint?: string;
  required?: boolean;
  children: ReactNode;
}

export function Field({ label, id, error, isAlert, hint, required, children }: FieldProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      {hint && <p className={styles.hint}>{hint}</p>}
      {error && (
        <p className={styles.error} id={`${id}-error`} role={isAlert ? 'alert' : undefined}>
          {error}
        </p>
      )}
    </div>
  );
}
