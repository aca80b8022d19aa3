/** Counts the characters in a textarea (counted-text.tsx). Plain DOM code. */
import './keys/menus.ts';
import './keys/quick-keys.ts';

for (const count of document.querySelectorAll<HTMLElement>('[data-counts]')) {
  const area = document.getElementById(count.dataset.counts ?? '');
  if (!(area instanceof HTMLTextAreaElement)) continue;
  const show = () => {
    count.textContent = `${[...area.value].length}/${area.maxLength}`;
  };
  area.addEventListener('input', show);
  show();
}
