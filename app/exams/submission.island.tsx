/** Opens a submission when it is selected, and hides the button that does so without client JS. Plain DOM. */
import '../ui/client/keys/quick-keys.ts';

const place = document.querySelector<HTMLElement>('[data-island="submission.island"]');
const choice = document.querySelector<HTMLSelectElement>('#submission');

if (place && choice) {
  place.hidden = true;
  choice.addEventListener('change', () => choice.form?.requestSubmit());
  // A page from the back/forward cache still shows the last selection.
  window.addEventListener('pageshow', () => choice.form?.reset());
}
