/** Chooses questions for a homework that is being written. */
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { ChosenByRule } from '#server/questions/compose.contract.ts';
import { chooseByRule, similarQuestion } from '#server/questions/compose.ts';
import type { QuestionDetail } from '#server/questions/contract.ts';
import { questionDetails } from '#server/questions/detail.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { survivingIds, visibleQuestions } from '#server/questions/visible.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { composeHomework, exchangeHomeworkQuestion } from './compose.contract.ts';
import { questionScoreFault } from './rules.ts';

type ComposeContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Chooses questions by a rule, with the refusals of `chooseByRule`. */
export const composeByRule = (
  context: ComposeContext,
  { present, ...rule }: BodyOf<typeof composeHomework>,
): Promise<ChosenByRule | Refusal> =>
  chooseByRule(context, rule, {
    present,
    scoreFault: (typed) => questionScoreFault(Number(typed)),
    ownerOf: async () => context.actor.id,
  });

/** Returns a similar question. 404: the source is not visible. 409: there is no other question. */
export async function exchangeOfHomework(
  { db, actor, settings }: ComposeContext,
  { source_id, ques_type = 1, facility_value = 3, present }: BodyOf<typeof exchangeHomeworkQuestion>,
): Promise<QuestionDetail | Refusal> {
  const [sourceId = 0] = (await survivingIds(db, source_id === undefined ? [] : [source_id])).values();
  const source = await visibleQuestions(db, actor, settings)
    .select(['question.owner_id', 'question.point_id'])
    .where('question.id', '=', sourceId)
    .executeTakeFirst();
  const offered = settings.switch_question_module ? (['public'] as const) : [];
  const id = await similarQuestion(db, {
    ques_type,
    facility_value,
    pointId: source?.point_id ?? null,
    banks: source && source.owner_id !== actor.id ? [...offered, actor.id] : [actor.id, ...offered],
    excluded: source_id === undefined ? present : [...present, source_id],
  });
  if (isRefusal(id)) return id;
  const details = await questionDetails(db, actor, visibleQuestions(db, actor, settings), [id]);
  return isRefusal(details) ? details : (details[0] ?? missing(missingQuestion));
}
