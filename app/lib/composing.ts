/**
 * True if a key belongs to an input method that is composing: its Enter ends the composition, its Escape cancels it. In
 * Safari this Enter comes after the end of the composition and can be recognised only by key code 229.
 */
export const isComposing = ({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) =>
  composes || keyCode === 229;
