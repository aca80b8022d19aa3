/**
 * Opens a submission when it is selected, and hides the button that opens it without client JS. Plain DOM code
 * without React.
 */
import '../ui/client/keys/quick-keys.ts';

const place = document.querySelector<HTMLElement>('[data-island="submission.island"]');
const choice = document.querySelector<HTMLSelectElement>('#submission');

if (place && choice) {
  place.hidden = true;
  choice.addEventListener('change', () => choice.form?.requestSubmit());
  // The browser's Back restores the page with the last selection, so the form is reset.
  window.addEventListener('pageshow', () => choice.form?.reset());
}
