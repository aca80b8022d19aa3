import { Input } from '@mantine/core';
import { useField } from '../ui/form-state.ts';
import type { QuestionFormContext } from './question-form-context.ts';

/** Props of an input: controlled with client JS, with only a default value without. */
export function inputProps(
  context: Pick<QuestionFormContext, 'dispatch'>,
  value: string,
  change: (value: string) => void,
) {
  if (!context.dispatch) return { defaultValue: value };
  return { value, onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) };
}

/** Error of something that is not one field; a link to `path` leads here. */
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
