/** Returns a similar question as JSON, for the hydrated form. */
import * as v from 'valibot';
import { SimilarQuestion } from '#server/homework/compose.contract.ts';
import { api } from '../../api/client.server.ts';
import type { Route } from './+types/exchange';
import { findSimilar } from './exchange.server.ts';

export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const sent: unknown = await request.json().catch(() => ({}));
  const { ques_type = 1, facility_value = 3, ...body } = v.parse(SimilarQuestion, sent ?? {});
  const found = await findSimilar(context.get(api), { source_id: null, ques_type, facility_value, ...body });
  return 'msg' in found ? Response.json({ msg: found.msg }, { status: found.status }) : Response.json(found);
}
