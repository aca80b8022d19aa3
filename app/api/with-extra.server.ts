import * as v from 'valibot';
import { answerOrErrorPage, type Outcome } from './outcome.server.ts';

/**
 * Returns the data of a list's answer merged with its `extra`; a refusal becomes the error page.
 * @param extra schema with a fallback, for another school's API that sends none
 */
export function withExtra<Answer, Extra extends v.GenericSchema<unknown, unknown>>(
  outcome: Outcome<Answer>,
  extra: Extra,
): { data: Answer; extra: v.InferOutput<Extra> } {
  const answered = answerOrErrorPage(outcome);
  return { data: answered.data, extra: v.parse(extra, answered.extra) };
}
