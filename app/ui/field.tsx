/** A labelled control with its message, for controls that no field of a form (form-fields.tsx) is. */
import { Input } from '@mantine/core';
import type { ReactNode } from 'react';

interface FieldProps {
  label: string;
  /** The id of the control inside. */
  id: string;
  error?: string | undefined;
  /** The error came while typing, and is read out. */
  isAlert?: boolean;
  hint?: string | undefined;
  required?: boolean;
  children: ReactNode;
}

export function Field({ label, id, error, isAlert, hint, required, children }: FieldProps) {
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={hint}
      error={error}
      errorProps={isAlert ? { role: 'alert' } : {}}
      withAsterisk={required}
    >
      {children}
    </Input.Wrapper>
  );
}
