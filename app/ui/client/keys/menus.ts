/**
 * Closes what lies over the page on Escape: an open menu (`<details name="menu">`), else the dialog (dialog.tsx). A menu
 * is also closed by a click elsewhere. Plain DOM, like the page's keyboard shortcuts.
 */
import { isComposing } from '../../../lib/composing.ts';

const unfolded = () => document.querySelectorAll<HTMLDetailsElement>('details[name=menu][open]');

// Captures the event before any other listener: a dialog beneath stays open.
document.addEventListener(
  'click',
  ({ target }) => {
    for (const menu of unfolded()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  },
  true,
);
document.addEventListener(
  'keydown',
  (event) => {
    const [menu] = unfolded();
    if (event.key !== 'Escape' || isComposing(event) || !menu) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  },
  true,
);

// On the window: whatever in the dialog has the key has taken it by then.
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
  document.querySelector<HTMLElement>('dialog[open] [data-close]')?.click();
});
