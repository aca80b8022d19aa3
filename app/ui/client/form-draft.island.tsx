/**
 * Keeps drafts of forms on screens without other client JS, and deletes a user's drafts at sign-out. Plain DOM code.
 */
import './keys/quick-keys.ts';
import { dropDraftsOf } from './drafts/draft-store.ts';
import { keepForm } from './drafts/keep-form.ts';

for (const place of document.querySelectorAll<HTMLElement>('[data-draft]')) {
  const form = place.closest('form');
  const { draft: name = '', person } = place.dataset;
  if (form) keepForm(form, place, { person: Number(person), name });
}
for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-signed-out]')) {
  dropDraftsOf(Number(dataset.signedOut));
}
