/**
 * What lies over a page unfolded (`<details name="menu">`) closes by Escape, and by a click elsewhere. Plain DOM, as the
 * keys beside it.
 */
import { isComposing } from '../lib/composing.ts';

const unfolded = () => document.querySelectorAll<HTMLDetailsElement>('details[name=menu][open]');

// Before whatever else has the click or the key: a dialog beneath stays open.
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
