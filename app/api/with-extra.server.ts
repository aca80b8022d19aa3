import * as v from 'valibot';
import { type Outcome, orErrorPage } from './outcome.server.ts';

/**
 * The data of a list's answer with what stands beside it, its `extra`; a refusal becomes the error page, as with `send`.
 * @param extra with a fallback, for another school's API that answers none
 */
export function withExtra<Answer, Extra extends v.GenericSchema<unknown, unknown>>(
  outcome: Outcome<Answer>,
  extra: Extra,
): { data: Answer; extra: v.InferOutput<Extra> } {
  const answered = orErrorPage(outcome);
  return { data: answered.data, extra: v.parse(extra, answered.extra) };
}
