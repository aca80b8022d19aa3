/** Choosing a submission opens it: the button that does so without client JS goes away. Plain DOM. */
import '../ui/client/keys/quick-keys.ts';

const place = document.querySelector<HTMLElement>('[data-island="submission.island"]');
const choice = document.querySelector<HTMLSelectElement>('#submission');

if (place && choice) {
  place.hidden = true;
  choice.addEventListener('change', () => choice.form?.requestSubmit());
  // A page that comes back from the browser's memory still shows what was chosen when it was left.
  window.addEventListener('pageshow', () => choice.form?.reset());
}
