import { shownScore } from '#server/platform/text/rules.ts';
import type { KeypadChange } from '../ui/keypad-value.ts';

/** A number that was typed is another one now. */
export const changedMark = (changed: KeypadChange, full: number): string =>
  ({
    over: `超过满分，已按 ${shownScore(full)} 分计`,
    point: '已去掉小数点',
    minus: '已去掉负号',
  })[changed];
