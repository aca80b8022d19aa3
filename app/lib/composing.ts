/**
 * Whether a key belongs to the input method that is composing a text: its Enter ends the composition, its Escape gives
 * it up. Safari tells of that Enter after the composition has ended, and then only by the code 229.
 */
export const isComposing = ({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) =>
  composes || keyCode === 229;
