/** An inline script queues keys pressed before the desk has mounted; the desk replays them in order. */
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

/** Leaves keys in fields and those with Ctrl to the browser. */
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

/** Stops queueing and returns the queued keys; the desk listens itself from now on. */
export function takeEarlyKeys(): readonly EarlyKey[] {
  const { keys = [], end } = window.earlyKeys ?? {};
  end?.();
  delete window.earlyKeys;
  return keys;
}
