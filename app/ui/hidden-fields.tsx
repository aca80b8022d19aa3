import { useField } from './form-state.ts';

/** The fields of a form that travels on unseen. */
export function HiddenFields({ fields }: { fields: readonly (readonly [string, string])[] }) {
  return fields.map(([name, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times, and the order is the form's.
    <input key={index} type="hidden" name={name} value={value} />
  ));
}

/** One that comes back otherwise with a form that was refused. */
export const HiddenField = ({ name }: { name: string }) => (
  <input type="hidden" name={name} value={useField(name).value ?? ''} />
);
