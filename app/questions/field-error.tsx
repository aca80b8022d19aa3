import { Input } from '@mantine/core';
import { useField } from '../ui/form-state.ts';
import type { QuestionFormContext } from './question-form-context.ts';

/** Properties of an input. With client JS it is controlled, without it has only a default value. */
export function inputProps(
  context: Pick<QuestionFormContext, 'dispatch'>,
  value: string,
  change: (value: string) => void,
) {
  if (!context.dispatch) return { defaultValue: value };
  return { value, onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) };
}

/** Shows an error that does not belong to one field. Links to the error's `path` lead here. */
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
