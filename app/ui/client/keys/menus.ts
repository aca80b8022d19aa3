/**
 * Closes menus and dialogs. Escape closes an open menu (`<details name="menu">`), or if there is none the dialog
 * (dialog.tsx). A click elsewhere closes a menu too. Plain DOM code.
 */
import { isComposing } from '../../../lib/composing.ts';

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details[name=menu][open]');

// In the capture phase, so that both handlers run before all others: a click elsewhere or Escape closes the menu, and a
// dialog below it stays open.
document.addEventListener(
  'click',
  ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  },
  true,
);
document.addEventListener(
  'keydown',
  (event) => {
    const [menu] = openMenus();
    if (event.key !== 'Escape' || isComposing(event) || !menu) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  },
  true,
);

// On the window, so that handlers inside the dialog run first.
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
  document.querySelector<HTMLElement>('dialog[open] [data-close]')?.click();
});
