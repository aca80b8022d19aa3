import type { FormErrors } from '@mantine/form';

/** Error messages by field, as the API sends them. */
export type Messages = Record<string, string[]>;

/** Converts the errors of @mantine/form. Each is a string from a check, or an array from the API. */
export const messagesOf = (errors: FormErrors): Messages =>
  Object.fromEntries(
    Object.entries(errors).map(([field, said]) => [field, Array.isArray(said) ? said.map(String) : [String(said)]]),
  );

/** Hides the message of an earlier form (`data-flash`). Called when a script refuses the next form. */
export function dismissFlash(): void {
  document.querySelector('[data-flash]')?.setAttribute('hidden', '');
}
