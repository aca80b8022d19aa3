import type { FormErrors } from '@mantine/form';

/** Messages by field, as the API sends them and the fields show them. */
export type Messages = Record<string, string[]>;

/** Of what @mantine/form holds: one message of its check, or several of the API. */
export const messagesOf = (errors: FormErrors): Messages =>
  Object.fromEntries(
    Object.entries(errors).map(([field, said]) => [field, Array.isArray(said) ? said.map(String) : [String(said)]]),
  );

/** What an earlier form came to (`data-flash`) is no news any more once a script refuses the next one. */
export function putAwayFlash(): void {
  document.querySelector('[data-flash]')?.setAttribute('hidden', '');
}
