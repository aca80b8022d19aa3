/** A text area that says how much of its limit is used: live with client JS, the limit alone without. */
import { useEffect, useState } from 'react';
import { AreaField } from './form-fields.tsx';
import { useField } from './form-state.ts';
import { limitHint } from './limit-hint.ts';

interface CountedTextProps {
  label: string;
  name: string;
  /** Characters. */
  limit: number;
  rows?: number;
}

export function CountedText({ label, name, limit, rows = 4 }: CountedTextProps) {
  const { value = '' } = useField(name);
  const [length, setLength] = useState<number>();
  // Only a page that client JS runs on can count.
  useEffect(() => setLength([...value].length), [value]);
  return (
    <AreaField
      name={name}
      label={label}
      description={length === undefined ? limitHint(limit) : `${length}/${limit}`}
      withAsterisk
      rows={rows}
      // A character beyond the first plane counts as two here: the server counts it as one.
      maxLength={limit}
      onChange={(event) => setLength([...event.currentTarget.value].length)}
    />
  );
}
