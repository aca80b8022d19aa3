/** Parses a score that was typed into a field of a call. */
import { readMark, type ScoreMode } from '#server/grading/rules.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';

/** Returns the score in stored units. 422 at `field`: not a valid score. */
export function readTypedScore(
  mode: ScoreMode,
  full: number,
  typed: number | string | null | undefined,
  field: 'user_score' | 'score' = 'user_score',
): { score: number } | Refusal {
  const read = readMark(mode, full, typed);
  return 'fault' in read ? invalid({ [field]: [read.fault] }) : read;
}
