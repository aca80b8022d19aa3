/**
 * True if a key belongs to an input method that is composing: its Enter ends the composition, its Escape cancels it.
 * Safari fires that Enter after the composition has ended, recognisable only by key code 229.
 */
export const isComposing = ({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) =>
  composes || keyCode === 229;
