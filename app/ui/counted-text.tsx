/** A textarea with a maximum length. With client JS it counts the characters. */
import { AreaField } from './form-fields.tsx';
import { Island } from './island.tsx';
import { limitHint } from './limit-hint.ts';

interface CountedTextProps {
  label: string;
  name: string;
  /** Maximum number of characters. */
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
        // `maxLength` counts UTF-16 units: some characters count as two here, but as one on the server.
        maxLength={limit}
      />
    }
  />
);
