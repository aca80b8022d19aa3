import { useEffect, useEffectEvent } from 'react';
import { isComposing } from '../../lib/composing.ts';
import type { MarkName } from './markup-document.ts';

/**
 * Handles all keys while the board is open, wherever the focus is. Listens in the capture phase and stops propagation,
 * so that the shortcuts of the desk below do not fire.
 */
export function useBoardKeys(press: (event: KeyboardEvent) => void, release?: (event?: KeyboardEvent) => void): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    event.stopPropagation();
    // While an input method composes, Escape, Backspace and Enter belong to it. Outside of a text field, key code 229
    // is just a letter that passed through the input method.
    const isWriting = event.target instanceof HTMLTextAreaElement;
    if (isWriting ? isComposing(event) : event.isComposing) return;
    if (event.type === 'keydown') press(event);
    else release?.(event);
  });
  // A key that is released while another window has the focus fires no keyup in this one.
  const forget = useEffectEvent(() => release?.());
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    const leave = () => forget();
    window.addEventListener('keydown', listener, true);
    window.addEventListener('keyup', listener, true);
    window.addEventListener('blur', leave);
    return () => {
      window.removeEventListener('keydown', listener, true);
      window.removeEventListener('keyup', listener, true);
      window.removeEventListener('blur', leave);
    };
  }, []);
}

export const toolLetters: Record<MarkName, string> = {
  rect: 'R',
  ellipse: 'E',
  arrow: 'A',
  line: 'L',
  right: 'V',
  wrong: 'X',
  half: 'H',
  text: 'T',
};

export type BoardKey =
  | { do: 'tool'; tool: MarkName }
  | { do: 'undo' | 'redo' | 'delete' | 'save' | 'zoom in' | 'zoom out' | 'fit' };

const zoomKeys: Record<string, BoardKey['do'] & ('zoom in' | 'zoom out' | 'fit')> = {
  Equal: 'zoom in',
  NumpadAdd: 'zoom in',
  Minus: 'zoom out',
  NumpadSubtract: 'zoom out',
  Digit0: 'fit',
  Numpad0: 'fit',
};

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Maps a key to a board command while no text is edited. Letters are read by physical key (`code`): with an active
 * input method, `key` is only 'Process'. `letters` enables keys without Ctrl.
 */
export function boardKeyOf(event: KeyPress, letters: boolean): BoardKey | undefined {
  const { key, code, altKey, shiftKey } = event;
  if (altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'Enter') return { do: 'save' };
    const isLetter = (letter: string) => key.toLowerCase() === letter || code === `Key${letter.toUpperCase()}`;
    if (isLetter('z')) return { do: shiftKey ? 'redo' : 'undo' };
    return isLetter('y') && !shiftKey ? { do: 'redo' } : undefined;
  }
  if (key === 'Backspace' || key === 'Delete') return { do: 'delete' };
  if (!letters) return undefined;
  const zoom = zoomKeys[code];
  if (zoom) return { do: zoom };
  const tool = (Object.keys(toolLetters) as MarkName[]).find((name) => code === `Key${toolLetters[name]}`);
  return tool && !shiftKey ? { do: 'tool', tool } : undefined;
}
