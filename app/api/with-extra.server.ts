import * as v from 'valibot';
import { answerOrErrorPage, type Outcome } from './outcome.server.ts';

/**
 * Returns a list's answer together with its `extra` (facts beside the rows). A refusal becomes the error page.
 * @param extra schema with a fallback, because another school's API may send no `extra`
 */
export function withExtra<Answer, Extra extends v.GenericSchema<unknown, unknown>>(
  outcome: Outcome<Answer>,
  extra: Extra,
): { data: Answer; extra: v.InferOutput<Extra> } {
  const answered = answerOrErrorPage(outcome);
  return { data: answered.data, extra: v.parse(extra, answered.extra) };
}
