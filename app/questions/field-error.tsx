import { Input } from '@mantine/core';
import { useField } from '../ui/form-state.ts';
import type { QuestionFormContext } from './question-form-context.ts';

/**
 * Returns the properties of an input. With client JS the input is controlled; without it, it only has a default value.
 */
export function inputProps(
  context: Pick<QuestionFormContext, 'dispatch'>,
  value: string,
  change: (value: string) => void,
) {
  if (!context.dispatch) return { defaultValue: value };
  return { value, onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) };
}

/** Shows an error that belongs to several fields. Links in the error summary with this `path` lead here. */
export function FieldError({ path }: { path: string }) {
  const { error } = useField(path);
  return (
    error && (
      <div id={path}>
        <Input.Error id={`${path}-error`}>{error}</Input.Error>
      </div>
    )
  );
}
