import { describe, expect, test } from 'vitest';
import { boardKeyOf, toolLetters } from '../../app/grading/board/use-board-keys.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const letter = (code: string, more = {}) => boardKeyOf({ ...plain, key: 'Process', code: `Key${code}`, ...more }, true);

describe('drawing board keys', () => {
  test('have a letter per tool', () => {
    expect(new Set(Object.values(toolLetters)).size).toBe(8);
    for (const [tool, code] of Object.entries(toolLetters)) expect(letter(code)).toEqual({ do: 'tool', tool });
  });

  test('undo and redo, with the command key too', () => {
    expect(letter('Z', { ctrlKey: true })).toEqual({ do: 'undo' });
    expect(letter('Z', { metaKey: true, shiftKey: true })).toEqual({ do: 'redo' });
    expect(letter('Y', { ctrlKey: true })).toEqual({ do: 'redo' });
  });

  test('leave browser and system keys alone', () => {
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
      expect(letter('R', more)).toBeUndefined();
      expect(boardKeyOf({ ...plain, key: '0', code: 'Digit0', ...more }, true)).toBeUndefined();
    }
  });

  test('can turn letters off, but not delete and undo', () => {
    expect(boardKeyOf({ ...plain, key: 'r', code: 'KeyR' }, false)).toBeUndefined();
    expect(boardKeyOf({ ...plain, key: '+', code: 'NumpadAdd' }, false)).toBeUndefined();
    expect(boardKeyOf({ ...plain, key: 'Backspace', code: 'Backspace' }, false)).toEqual({ do: 'delete' });
    expect(boardKeyOf({ ...plain, key: 'z', code: 'KeyZ', ctrlKey: true }, false)).toEqual({ do: 'undo' });
  });
});
