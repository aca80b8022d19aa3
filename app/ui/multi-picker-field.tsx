/**
 * Field to choose several of many records without script: the chosen ones as checkboxes, and some selects to add more.
 */
import type { ReactNode } from 'react';
import { ChecksField, SelectField } from './form-fields.tsx';

interface Choice {
  id: number;
  name: ReactNode;
}

interface MultiPickerFieldProps {
  /** Field of the call that takes the ids. */
  name: string;
  label: string;
  description?: string;
  present?: readonly Choice[];
  choices: readonly { id: number; name: string }[];
  /** Number of selects to add more. */
  more: number;
}

export function MultiPickerField({ name, label, description, present = [], choices, more }: MultiPickerFieldProps) {
  const others = choices
    .filter(({ id }) => !present.some((one) => one.id === id))
    .map(({ id, name: words }) => [id, words] as const);
  return (
    <ChecksField
      name={name}
      label={label}
      description={description}
      choices={present.map(({ id, name: words }) => [id, words] as const)}
    >
      {Array.from({ length: Math.min(more, others.length) }, (_, place) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart.
          key={place}
          name={`${name}_${place + 1}`}
          aria-label={`添加${label}${more > 1 ? place + 1 : ''}`}
          placeholder={`添加${label}`}
          choices={others}
        />
      ))}
    </ChecksField>
  );
}

export function readPickedIds(form: FormData, name: string): number[] {
  const added = [...form.keys()].filter((key) => key.startsWith(`${name}_`)).map((key) => form.get(key));
  return [...new Set([...form.getAll(name), ...added].map(Number).filter((id) => id > 0))];
}
