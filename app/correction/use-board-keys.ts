import { useEffect, useEffectEvent } from 'react';

/**
 * Hears every key while the board is open, before anything else does and wherever the focus has gone. It stops there:
 * below the board lies a screen with keys of its own, which must not fire.
 */
export function useBoardKeys(press: (event: KeyboardEvent) => void): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    event.stopPropagation();
    // While an input method composes, Escape, Backspace and Enter are its own.
    if (!event.isComposing) press(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);
}
