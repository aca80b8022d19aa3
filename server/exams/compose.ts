/** Chooses questions of banks for the draft of an exam. */
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { missingBank } from '#server/questions/bank.rules.ts';
import type { ChosenByRule } from '#server/questions/compose.contract.ts';
import { chooseByRule } from '#server/questions/compose.ts';
import { bankOwners } from '#server/questions/visible.ts';
import type { RuleContext } from '#server/school/context.ts';
import { adminExamPaper } from './admin-record.ts';
import type { composeExam } from './composing.contract.ts';
import { scoreOf } from './draft-scores.ts';
import { composingMessages } from './rules.ts';

/**
 * Chooses questions by a rule, with the refusals of `chooseByRule`. 404: the exam or a colleague's bank is not visible.
 */
export async function composeOfExam(
  context: RuleContext<'actor' | 'now' | 'settings'>,
  examId: number,
  rule: BodyOf<typeof composeExam>,
): Promise<ChosenByRule | Refusal> {
  const { db, actor } = context;
  const paper = await adminExamPaper(context, examId);
  if (isRefusal(paper)) return paper;
  return chooseByRule(context, rule, {
    present: paper.sources,
    scoreFault: (typed) => (scoreOf(typed) === undefined ? composingMessages.score : undefined),
    async ownerOf({ owner_id = actor.id }) {
      const owner = await bankOwners(db, actor).select('staff.id').where('staff.id', '=', owner_id).executeTakeFirst();
      return owner ? owner.id : missing(missingBank);
    },
  });
}
