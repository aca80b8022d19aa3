/** Equal answers as JSON, for the living grading screen. */
import { sameAnswers } from '#server/correction/contract.ts';
import { api } from '../api.server.ts';
import type { Route } from './+types/same-list';
import { readAddress } from './address.ts';
import { outcomeJson } from './outcome-json.server.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const { report_id, class_id, ques_id } = readAddress(url.searchParams);
  return outcomeJson(() => context.get(api).ask(sameAnswers, { body: { report_id, class_id, ques_id } }));
}
