/**
 * An inline script queues keys that are pressed before the desk is hydrated. The hydrated desk replays them in order.
 */
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

/** Ignores keys in fields and with Ctrl: they belong to the browser. */
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

/** Stops queueing and returns the queued keys. From then on the hydrated desk listens to keys. */
export function takeEarlyKeys(): readonly EarlyKey[] {
  const { keys = [], end } = window.earlyKeys ?? {};
  end?.();
  delete window.earlyKeys;
  return keys;
}
