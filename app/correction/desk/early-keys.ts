/** Keys that a grader presses before the desk has come to life are queued by a script in the page, and obeyed then. */
export interface EarlyKey {
  key: string;
  code: string;
  shiftKey: boolean;
}

declare global {
  interface Window {
    earlyKeys?: { keys: EarlyKey[]; end: () => void };
  }
}

/** Of keys in a field the browser takes care, as of those with Ctrl. */
export const earlyKeysScript = `(() => {
  const keys = [];
  const hear = (event) => {
    const { target, key, code, shiftKey } = event;
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest('input, textarea, select, button, a, summary, [contenteditable]')) return;
    keys.push({ key, code, shiftKey });
  };
  document.addEventListener('keydown', hear);
  window.earlyKeys = { keys, end: () => document.removeEventListener('keydown', hear) };
})()`;

/** From now on the desk hears them itself. */
export function takeEarlyKeys(): readonly EarlyKey[] {
  const { keys = [], end } = window.earlyKeys ?? {};
  end?.();
  delete window.earlyKeys;
  return keys;
}
