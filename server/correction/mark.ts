/** Reads a mark as it was typed. Pure. */

import { byRate, pointsOf, rateChoices, type ScoreMode, storedScore } from '#server/homework/scoring.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { shownScore } from '#server/platform/text/shown-score.ts';

export type TypedMark = number | string | null | undefined;

/** Full-width digits and points are those of a Chinese keyboard. */
const asTyped = (typed: TypedMark): string =>
  String(typed ?? '')
    .normalize('NFKC')
    .replace('。', '.')
    .trim();

/**
 * The stored score of a mark that was typed: points with at most one decimal up to `full` (stored), or one of the
 * rates in percent. Refused with a sentence where none was given, at the field of the call.
 */
export function readMark(
  mode: ScoreMode,
  full: number,
  typed: TypedMark,
  field: 'user_score' | 'score' = 'user_score',
): { score: number } | Refusal {
  const refuse = (message: string) => invalid({ [field]: [message] });
  const text = asTyped(typed);
  if (mode === byRate) {
    const rate = /^\d{1,3}%?$/.test(text) ? Number(text.replace('%', '')) : undefined;
    const chosen = rateChoices.find((choice) => choice === rate);
    return chosen === undefined ? refuse('请选择本题正确率') : { score: chosen };
  }
  if (text === '') return refuse('请填写本题得分');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return refuse('得分只能填写数字');
  const score = /\.\d{2,}$/.test(text) ? undefined : storedScore(mode, Number(text));
  if (score === undefined) return refuse('得分最多一位小数');
  if (score < 0 || score > full) return refuse(`得分应在0到${shownScore(pointsOf(mode, full))}之间`);
  return { score };
}
