/** Lists that come with something beside them. */
import { data } from 'react-router';
import * as v from 'valibot';
import type { Outcome } from '../api/outcome.server.ts';

/** The data of an answer with its `extra`; a refusal becomes the error page, as with `send`. */
export function withExtra<Answer, Extra extends v.GenericSchema<unknown, unknown>>(
  outcome: Outcome<Answer>,
  extra: Extra,
): { data: Answer; extra: v.InferOutput<Extra> } {
  if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
  return { data: outcome.data, extra: v.parse(extra, outcome.extra) };
}
