/**
 * Global shortcuts for signed-in users: `/` and Ctrl+K focus the search, `?` opens the list of shortcuts. Also prevents
 * that an input method's Enter submits a form. Plain DOM code; pages without other client JS load only this
 * (page-keys.tsx).
 */
import { isComposing } from '../../../lib/composing.ts';
import { isSupportedBrowser } from './supported-browser.ts';

const search = () => document.querySelector<HTMLInputElement>('header [data-keys-help]');

if (isSupportedBrowser()) {
  search()?.setAttribute('aria-keyshortcuts', '/ Control+K');
  // On the window, so that other handlers run first: the grading desk shows its own list of shortcuts.
  window.addEventListener('keydown', press);
  document.addEventListener('keydown', keepComposing, true);
}

function keepComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && isComposing(event)) event.preventDefault();
}

function press(event: KeyboardEvent): void {
  const field = search();
  if (event.defaultPrevented || !field || field.closest('[inert]')) return;
  const act = shortcutOf(event);
  if (!act) return;
  event.preventDefault();
  if (act === 'search') field.select();
  // Opens the list of shortcuts in a new tab, so that no typed text is lost.
  else window.open(field.dataset.keysHelp, '_blank', 'noopener');
}

const writes =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]';

function shortcutOf(event: KeyboardEvent): 'search' | 'help' | undefined {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (altKey || event.isComposing) return undefined;
  const key = keyOf(event);
  // Inside formatted text, Ctrl+K is left to the editor: it makes a link there.
  if (ctrlKey || metaKey) {
    const isFormatted = target instanceof HTMLElement && target.isContentEditable;
    return key === 'k' && !isFormatted ? 'search' : undefined;
  }
  if (target instanceof Element && target.closest(writes)) return undefined;
  return key === '/' || key === '、' ? 'search' : key === '?' || key === '？' ? 'help' : undefined;
}

/**
 * Name of the pressed key. With an active input method, `key` is only 'Process', so the physical key (`code`) decides.
 */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key !== 'Process' && key !== 'Unidentified') return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code === 'KeyK' ? 'k' : key;
}
