/** A textarea with its limit; with client JS it counts the text. */
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
        // `maxLength` counts UTF-16 units: some characters count as two here, as one on the server.
        maxLength={limit}
      />
    }
  />
);
