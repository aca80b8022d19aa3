/**
 * `/` and Ctrl+K lead to the search, `?` to the keys, on every page of a signed-in person. Plain DOM: a page without other
 * client JS loads it alone (page-keys.tsx). A page says of these keys only where they work. And an Enter of an input
 * method sends no form.
 */
import { isComposing } from '../../../lib/composing.ts';
import { isAbleBrowser } from './able-browser.ts';

const search = () => document.querySelector<HTMLInputElement>('header [data-keys-help]');

if (isAbleBrowser()) {
  search()?.setAttribute('aria-keyshortcuts', '/ Control+K');
  // After whatever else has the key: the grading desk shows its own help.
  window.addEventListener('keydown', press);
  document.addEventListener('keydown', keepComposing, true);
}

function keepComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && isComposing(event)) event.preventDefault();
}

function press(event: KeyboardEvent): void {
  const field = search();
  if (event.defaultPrevented || !field || field.closest('[inert]')) return;
  const act = actOf(event);
  if (!act) return;
  event.preventDefault();
  if (act === 'search') field.select();
  // Beside the page: nothing that is being typed goes.
  else window.open(field.dataset.keysHelp, '_blank', 'noopener');
}

const writes =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]';

function actOf(event: KeyboardEvent): 'search' | 'help' | undefined {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (altKey || event.isComposing) return undefined;
  const key = keyOf(event);
  // In formatted text it makes a link.
  if (ctrlKey || metaKey) {
    const isFormatted = target instanceof HTMLElement && target.isContentEditable;
    return key === 'k' && !isFormatted ? 'search' : undefined;
  }
  if (target instanceof Element && target.closest(writes)) return undefined;
  return key === '/' || key === '、' ? 'search' : key === '?' || key === '？' ? 'help' : undefined;
}

/** An input method that is switched on says of a key only that it is processing it: it goes by its place then. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key !== 'Process' && key !== 'Unidentified') return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code === 'KeyK' ? 'k' : key;
}
