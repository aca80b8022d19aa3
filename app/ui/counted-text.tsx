/** A text area that says how much of its limit is used: live with client JS, the limit alone without. */
import { useEffect, useState } from 'react';
import styles from './counted-text.module.css';
import { controlClass, Field } from './field.tsx';

interface CountedTextProps {
  label: string;
  name: string;
  /** Characters. */
  limit: number;
  defaultValue?: string | undefined;
  error?: string | undefined;
  rows?: number;
}

export function CountedText({ label, name, limit, defaultValue = '', error, rows = 4 }: CountedTextProps) {
  const [length, setLength] = useState<number>();
  // Only a page that client JS runs on can count.
  useEffect(() => setLength([...defaultValue].length), [defaultValue]);
  return (
    <Field label={label} id={name} error={error} required>
      <textarea
        id={name}
        name={name}
        rows={rows}
        // A character beyond the first plane counts as two here: the server counts it as one.
        maxLength={limit}
        required
        defaultValue={defaultValue}
        onChange={(event) => setLength([...event.currentTarget.value].length)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${name}-count ${name}-error` : `${name}-count`}
        className={controlClass}
      />
      <p className={styles.count} id={`${name}-count`}>
        {length === undefined ? `最多 ${limit} 个字` : `${length}/${limit}`}
      </p>
    </Field>
  );
}
