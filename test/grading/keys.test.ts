import { describe, expect, test } from 'vitest';
import { commandOf, type KeyContext, type KeyPress, keyList } from '../../app/grading/desk/keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  repeat: false,
  isComposing: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});
const desk: KeyContext = { on: true, rated: false, focus: 'none' };

describe('grading screen keys', () => {
  test.each([
    ['7', { do: 'digit', digit: '7' }],
    ['.', { do: 'digit', digit: '.' }],
    ['f', { do: 'full' }],
    ['F', { do: 'full' }],
    ['z', { do: 'zero' }],
    ['Enter', { do: 'save' }],
    ['ArrowRight', { do: 'next' }],
    ['ArrowLeft', { do: 'previous' }],
    ['q', { do: 'comment', key: 'q' }],
    ['o', { do: 'comment', key: 'o' }],
    ['?', { do: 'help' }],
    ['x', undefined],
    ['Tab', undefined],
    ['ArrowDown', undefined],
  ])('do their action: %s', (key, command) => {
    expect(commandOf(press(key), desk)).toEqual(command);
  });

  test('choose a rating by its first digit', () => {
    const rated = { ...desk, rated: true };
    expect(['0', '2', '5', '6', '7', '1'].map((key) => commandOf(press(key), rated))).toEqual(
      [0, 25, 50, 60, 75, 100].map((rate) => ({ do: 'rate', rate })),
    );
    for (const key of ['3', '4', '8', '9']) expect(commandOf(press(key), rated)).toBeUndefined();
  });

  test.each([
    ['KeyF', false, { do: 'full' }],
    ['Digit7', false, { do: 'digit', digit: '7' }],
    ['Numpad7', false, { do: 'digit', digit: '7' }],
    ['NumpadDecimal', false, { do: 'digit', digit: '.' }],
    ['Slash', true, { do: 'help' }],
    ['KeyX', false, undefined],
    ['Enter', false, undefined],
  ])('work with an input method: %s', (code, shiftKey, command) => {
    expect(commandOf(press('Process', { code, shiftKey }), desk)).toEqual(command);
  });

  test('ignore repeats of a held key', () => {
    for (const key of ['f', 'z', '5', 'Enter', 'q', 'ArrowRight', 's', 'g']) {
      expect(commandOf(press(key, { repeat: true }), desk)).toBe('swallow');
    }
    expect(commandOf(press('5', { repeat: true }), { ...desk, focus: 'score' })).toBe('swallow');
    expect(commandOf(press('Enter', { repeat: true }), { ...desk, focus: 'score' })).toBe('swallow');
    expect(commandOf(press('Enter', { repeat: true }), { ...desk, on: false })).toBe('swallow');
  });

  test('are off while typing text, except leave and save', () => {
    const typing: KeyContext = { ...desk, focus: 'text' };
    for (const key of ['f', 'z', '5', 'Enter', 'q', 'ArrowRight', '?']) {
      expect(commandOf(press(key), typing)).toBeUndefined();
    }
    expect(commandOf(press('Escape'), typing)).toEqual({ do: 'leave' });
    expect(commandOf(press('Enter', { ctrlKey: true }), typing)).toEqual({ do: 'save' });
    expect(commandOf(press('f', { isComposing: true }), desk)).toBeUndefined();
  });

  test('leave digits and caret to the score field, while letters work', () => {
    const score: KeyContext = { ...desk, focus: 'score' };
    expect(['5', '.', 'Enter', 'ArrowLeft', 'ArrowRight'].map((key) => commandOf(press(key), score))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(commandOf(press('f'), score)).toEqual({ do: 'full' });
    expect(commandOf(press('Escape'), score)).toEqual({ do: 'leave' });
  });

  test('leave Enter on buttons and arrows in choices alone', () => {
    expect(commandOf(press('Enter'), { ...desk, focus: 'control' })).toBeUndefined();
    expect(commandOf(press('5'), { ...desk, focus: 'control' })).toEqual({ do: 'digit', digit: '5' });
    expect(commandOf(press('ArrowRight'), { ...desk, rated: true, focus: 'choice' })).toBeUndefined();
    expect(commandOf(press('Enter'), { ...desk, rated: true, focus: 'choice' })).toEqual({ do: 'save' });
  });

  test('can be turned off, and leave modified keys to the browser', () => {
    for (const key of ['f', '5', 'Enter', 'ArrowRight', '?']) {
      expect(commandOf(press(key), { ...desk, on: false })).toBeUndefined();
    }
    expect(commandOf(press('f', { ctrlKey: true }), desk)).toBeUndefined();
    expect(commandOf(press('ArrowLeft', { altKey: true }), desk)).toBeUndefined();
  });

  test('are all listed for the mode', () => {
    expect(keyList(true).flat().join()).toContain('0、25、50、60、75、100%');
    expect(keyList(false).flat().join()).toContain('满分');
  });
});
