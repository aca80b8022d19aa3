/**
 * Shortcuts of the grading screen, as pure functions. They can be switched off and never fire while text is typed (WCAG
 * 2.1.4).
 */

import { rateChoices } from '#server/grading/rules.ts';
import { type CommentKey, commentKeys } from '#server/grading-desk/rules.ts';

/** Key of a rate: its first digit. */
export const rateKey = (rate: number): string => String(rate).charAt(0);

export type DeskCommand =
  | { do: 'digit'; digit: string }
  | { do: 'rate'; rate: number }
  | { do: 'comment'; key: CommentKey }
  | { do: 'save' | 'full' | 'zero' | 'next' | 'previous' | 'skip' | 'finish' | 'write' | 'leave' | 'draw' | 'help' };

export interface KeyPress {
  key: string;
  code: string;
  repeat: boolean;
  isComposing: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export interface KeyContext {
  on: boolean;
  rated: boolean;
  /** Kind of the focused element. `control` is one that Enter presses; `choice` is a radio button. */
  focus: 'score' | 'text' | 'control' | 'choice' | 'none';
}

/**
 * Maps a key to a command. Returns 'swallow' if the key must do nothing (a held key never grades twice), and undefined
 * if the browser handles it.
 */
export function commandOf(pressed: KeyPress, { on, rated, focus }: KeyContext): DeskCommand | 'swallow' | undefined {
  const { repeat, isComposing, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (isComposing || altKey) return undefined;
  const key = keyOf(pressed);
  const enter = key === 'Enter';
  if (focus === 'text') {
    if (enter && (ctrlKey || metaKey)) return repeat ? 'swallow' : { do: 'save' };
    return key === 'Escape' ? { do: 'leave' } : undefined;
  }
  if (ctrlKey || metaKey) return undefined;
  if (enter && repeat) return 'swallow';
  if (focus === 'score') {
    if (repeat && /^[\d.]$/.test(key)) return 'swallow';
    if (/^[\d.]$/.test(key)) return undefined;
    // Returning undefined lets the browser submit the form.
    if (enter) return undefined;
    if (key === 'Escape') return { do: 'leave' };
  }
  if (!on) return undefined;
  // In the score field, arrow keys move the caret; among choices they move the selection.
  const arrowsFree = focus !== 'score' && focus !== 'choice';
  const command = commandOfKey(key, shiftKey, rated, focus, arrowsFree);
  return command && repeat ? 'swallow' : command;
}

/**
 * Name of the pressed key. With an active input method, `key` is only 'Process', so the physical key (`code`) decides.
 */
function keyOf({ key, code, shiftKey }: KeyPress): string {
  if (key !== 'Process' && key !== 'Unidentified') return key;
  if (code === 'Slash' && shiftKey) return '?';
  if (code === 'Period' || code === 'NumpadDecimal') return '.';
  return /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(code)?.slice(1).find(Boolean)?.toLowerCase() ?? key;
}

function commandOfKey(
  key: string,
  shift: boolean,
  rated: boolean,
  focus: KeyContext['focus'],
  arrowsFree: boolean,
): DeskCommand | undefined {
  if (key === 'Enter') return focus === 'none' || focus === 'choice' ? { do: 'save' } : undefined;
  if (/^\d$/.test(key)) {
    if (!rated) return { do: 'digit', digit: key };
    const rate = rateChoices.find((choice) => rateKey(choice) === key);
    return rate === undefined ? undefined : { do: 'rate', rate };
  }
  if (key === '.' && !rated) return { do: 'digit', digit: key };
  if (arrowsFree && key === 'ArrowRight') return { do: shift ? 'skip' : 'next' };
  if (arrowsFree && key === 'ArrowLeft' && !shift) return { do: 'previous' };
  if (key === '?' || key === '？') return { do: 'help' };
  const comment = commentKeys.find((letter) => letter === key.toLowerCase());
  if (comment) return { do: 'comment', key: comment };
  switch (key.toLowerCase()) {
    case 'f':
      return { do: 'full' };
    case 'z':
      return { do: 'zero' };
    case 'n':
      return { do: 'next' };
    case 'p':
      return { do: 'previous' };
    case 's':
      return { do: 'skip' };
    case 'g':
      return { do: 'finish' };
    case 'c':
      return { do: 'write' };
    case 'd':
      return { do: 'draw' };
    default:
      return undefined;
  }
}

export function keyList(rated: boolean): [keys: string, meaning: string][] {
  const marks: [string, string][] = rated
    ? [
        [rateChoices.map(rateKey).join(' '), `选择正确率 ${rateChoices.join('、')}%（按首位数字）`],
        ['F', '100%'],
        ['Z', '0%'],
      ]
    : [
        ['0 – 9 .', '填写得分'],
        ['F', '满分'],
        ['Z', '零分'],
      ];
  return [
    ...marks,
    ['Enter', '保存，转到下一个待批改的答案'],
    ['← →', '上一题、下一题（按题批改时为上一名、下一名学员）'],
    ['Shift + →', '跳过该学员（也可按 S）'],
    ['C', '写评语（Esc 离开，Ctrl + Enter 保存）'],
    ['Q – O', '使用固定在该键的常用评语'],
    ['D', '在答案图片上批注'],
    ['G', '完成批改'],
    ['?', '打开或关闭本说明'],
  ];
}
