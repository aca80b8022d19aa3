import { describe, expect, test } from 'vitest';
import { finishNumber, type KeypadKey, pressKey, readNumber } from '../../app/ui/client/keypad-value.ts';

function press(keys: readonly KeypadKey[], limits = {}): string {
  return keys.reduce((value, key) => pressKey(value, key, limits), '');
}

describe('typing a number', () => {
  test.each([
    ['', ''],
    ['7', '7'],
    ['12.5', '12.5'],
    ['8.', '8.'],
    ['-3', '3'],
    ['1e3', '13'],
    ['十', ''],
    [' 4 ', '4'],
  ])('only digits and a point are accepted: %j becomes %j', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });

  test.each([
    ['1.2.3', '1.23'],
    ['1..5', '1.5'],
  ])('one point only: %j becomes %j', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });

  test.each([
    ['.', ''],
    ['.5', '5'],
    ['..5', '5'],
  ])('a leading point is dropped: %j becomes %j', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });

  test.each([
    ['007', '7'],
    ['00', '0'],
    ['0', '0'],
    ['0.5', '0.5'],
    ['00.50', '0.50'],
  ])('leading zeros are trimmed: %j becomes %j', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });

  test('at most two decimals are kept, the third is cut and not rounded', () => {
    expect(readNumber('1.239')).toBe('1.23');
    expect(readNumber('9.999')).toBe('9.99');
  });

  test('another number of decimals can be asked for', () => {
    expect(readNumber('7.55', { decimals: 1 })).toBe('7.5');
    expect(readNumber('7.55', { decimals: 0 })).toBe('7');
  });

  test('a value at or above the maximum becomes it', () => {
    expect(readNumber('9.9', { max: 10 })).toBe('9.9');
    expect(readNumber('10.0', { max: 10 })).toBe('10');
    expect(readNumber('10.', { max: 10 })).toBe('10.');
    expect(readNumber('11', { max: 10 })).toBe('10');
    expect(readNumber('3.6', { max: 3.5 })).toBe('3.5');
    expect(readNumber('1', { max: 0 })).toBe('0');
    expect(readNumber('', { max: 10 })).toBe('');
  });

  test('full-width digits and points are accepted', () => {
    expect(readNumber('１２．５')).toBe('12.5');
    expect(readNumber('７。５')).toBe('7.5');
    expect(readNumber('8，5')).toBe('8.5');
    expect(readNumber('０９')).toBe('9');
  });
});

describe('pressing keys of the keypad', () => {
  test('digits and the point are appended', () => {
    expect(press(['1', '2', 'point', '5'])).toBe('12.5');
  });

  test('a point is not accepted first, twice, or where no decimals are', () => {
    expect(press(['point', '5'])).toBe('5');
    expect(press(['1', 'point', 'point', '5'])).toBe('1.5');
    expect(press(['1', 'point', '5'], { decimals: 0 })).toBe('15');
  });

  test('a zero at the beginning gives way to the next digit', () => {
    expect(press(['0', '0', '8'])).toBe('8');
    expect(press(['0', 'point', '8'])).toBe('0.8');
  });

  test('a third decimal changes nothing', () => {
    expect(press(['1', 'point', '2', '3', '4'])).toBe('1.23');
  });

  test('delete takes the last character, clear takes all', () => {
    expect(pressKey('12.5', 'delete-last')).toBe('12.');
    expect(pressKey('', 'delete-last')).toBe('');
    expect(pressKey('12.5', 'clear')).toBe('');
  });

  test('the maximum holds for pressed keys too', () => {
    expect(press(['1', '2'], { max: 10 })).toBe('10');
    expect(press(['1', '0', 'point', '0'], { max: 10 })).toBe('10');
  });
});

describe('the number after typing', () => {
  test('does not end in a point', () => {
    expect(finishNumber('8.')).toBe('8');
  });

  test('is not below the minimum, but may be empty', () => {
    expect(finishNumber('1', { min: 5 })).toBe('5');
    expect(finishNumber('12', { min: 5 })).toBe('12');
    expect(finishNumber('', { min: 5 })).toBe('');
  });
});
