/** A text area that says how much of its limit is used: live with client JS, the limit alone without. */
import { AreaField } from './form-fields.tsx';
import { Island } from './island.tsx';
import { limitHint } from './limit-hint.ts';

interface CountedTextProps {
  label: string;
  name: string;
  /** Characters. */
  limit: number;
}

export const CountedText = ({ label, name, limit }: CountedTextProps) => (
  <Island
    name="counted-text.island"
    props={{}}
    fallback={
      <AreaField
        name={name}
        label={label}
        description={<span data-counts={name}>{limitHint(limit)}</span>}
        withAsterisk
        rows={4}
        // A character beyond the first plane counts as two here: the server counts it as one.
        maxLength={limit}
      />
    }
  />
);
