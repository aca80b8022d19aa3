/**
 * Countdown of an exam. Asks the server for the time left every 30 s and counts by the monotonic clock, which users
 * cannot change. Saves the form just before the end. Plain DOM code.
 */
import { saveNowEvent, timeLeftEvent } from './page-events.ts';
import { formatTimeLeft } from './time-left.ts';

/** The form is saved this many seconds before the end. */
const saveLead = 5;
/** Milliseconds between two requests for the time left. */
const pollInterval = 30_000;

const props = document.querySelector('[data-props="exam-clock.island"]')?.textContent;
const place = document.querySelector('[data-time-left]');
if (props && place) countDown(place, JSON.parse(props));

function countDown(shown: Element, { left, time }: { left: number; time: string }): void {
  let end = performance.now() + left * 1_000;
  let isSaved = false;
  const set = (seconds: unknown) => {
    if (typeof seconds !== 'number') return;
    end = performance.now() + seconds * 1_000;
    isSaved = isSaved && seconds <= saveLead;
  };
  const ask = async () => {
    const answer = await fetch(time, { cache: 'no-store' })
      .then((response) => response.json())
      .catch(() => ({}));
    set(answer.left);
  };
  const tick = async () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    shown.textContent = formatTimeLeft(seconds);
    const form = document.querySelector('[data-answers]')?.closest('form');
    if (!isSaved && seconds <= saveLead) {
      isSaved = true;
      form?.dispatchEvent(new Event(saveNowEvent));
    }
    if (seconds > 0) return;
    clearInterval(each);
    clearInterval(asking);
    // The school may have postponed the end of the exam.
    await ask();
    if (end > performance.now()) return begin();
    // Does not reload after a failed save, so that the text in the form stays readable.
    if (!document.querySelector('[data-save-state]')?.textContent?.includes('没有')) location.reload();
  };
  let each: ReturnType<typeof setInterval>;
  let asking: ReturnType<typeof setInterval>;
  const begin = () => {
    each = setInterval(() => void tick(), 1_000);
    asking = setInterval(() => void ask(), pollInterval);
  };
  addEventListener(timeLeftEvent, (event) => set((event as CustomEvent).detail));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void ask();
  });
  begin();
  void tick();
}
