import { useField } from './form-state.ts';

export function HiddenFields({ fields }: { fields: readonly (readonly [string, string])[] }) {
  return fields.map(([name, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times, and the order is the form's.
    <input key={index} type="hidden" name={name} value={value} />
  ));
}

/** A hidden field whose value comes from the state of the form, because a refusal may change it. */
export const HiddenField = ({ name }: { name: string }) => (
  <input type="hidden" name={name} value={useField(name).value ?? ''} />
);
