/** Calls that choose questions for a draft of homework: by a rule, or to replace one of its questions. */
import * as v from 'valibot';
import { SearchId, SearchIds, searchOneOf } from '#server/platform/calls/fields.ts';
import { ChosenByRule, RuleRow, ruleFields } from '#server/questions/compose.contract.ts';
import { QuestionDetail } from '#server/questions/contract.ts';
import { facilityValues, questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';

/** `present`: bank questions that the homework has already; they are not chosen. */
export const composeHomework = call({
  method: 'POST',
  path: 'hw/compose',
  title: '按规则选题',
  reads: true,
  needs: 'dispatch',
  body: v.object({ rows: v.fallback(v.array(RuleRow), []), ...ruleFields, present: SearchIds }),
  answer: ChosenByRule,
});

/**
 * Facts of a question. `source_id`: bank question from which it was copied. `present`: bank questions that are not wanted.
 */
export const SimilarQuestion = v.object({
  source_id: SearchId,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  present: SearchIds,
});

/** Returns another question of the same type and knowledge point, of the same difficulty or the next. */
export const exchangeHomeworkQuestion = call({
  method: 'POST',
  path: 'hw/exchange',
  title: '换一道题',
  reads: true,
  needs: 'dispatch',
  body: SimilarQuestion,
  answer: QuestionDetail,
});
