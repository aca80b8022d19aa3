/**
 * Closes open menus (`<details name="menu">`) on Escape, and on a click elsewhere. Plain DOM, like the page's keyboard
 * shortcuts.
 */
import { isComposing } from '../lib/composing.ts';

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
