/**
 * Counts down what is left of an exam, over the page that the server wrote with it: a few lines, without React. What was
 * written and not saved yet is saved just before the end, as its button would; a page that holds nothing of the kind is
 * asked for anew when the time is over.
 */
import { shownLeft } from './time-left.ts';

/** Seconds before the end. */
const saveBefore = 5;

const props = document.querySelector('[data-props="exam-clock.island"]')?.textContent;
const place = document.querySelector('[data-time-left]');
if (props && place) countDown(place, JSON.parse(props));

function countDown(shown: Element, { left }: { left: number }): void {
  const end = Date.now() + left * 1_000;
  let isWritten = false;
  let isSaved = false;
  addEventListener('input', () => {
    isWritten = true;
  });
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    shown.textContent = shownLeft(seconds);
    const save = document.querySelector<HTMLButtonElement>('button[name="intent"][value="save"]');
    if (isWritten && !isSaved && seconds <= saveBefore) {
      isSaved = true;
      save?.form?.requestSubmit(save);
    }
    if (seconds > 0) return;
    clearInterval(each);
    if (!isWritten) location.reload();
  };
  const each = setInterval(tick, 1_000);
  tick();
}
