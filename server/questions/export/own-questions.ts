/** Selects questions of the user's own bank for an export: by ids, or all that the list's filter finds. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { QuestionItem } from '../contract.ts';
import { questionDetails } from '../detail.ts';
import type { BankExportQuery } from '../export.contract.ts';
import { maxExportedQuestions } from '../export.rules.ts';
import { matchingOwnIds } from '../list.ts';
import { joinTags, type QuestionDraft } from '../rules.ts';
import { ownQuestions } from '../visible.ts';
import type { ExportSelection } from './export-file.ts';
import type { ExportQuestion } from './export-question.ts';

/** 404: one of the ids is not the user's own. One question more than allowed is read, so that it can be refused. */
export async function ownSelection(
  db: Database,
  actor: Actor,
  query: BankExportQuery,
): Promise<ExportSelection | Refusal> {
  const ids = query.ids.length > 0 ? query.ids : await matchingOwnIds(db, actor, query, maxExportedQuestions + 1);
  const some = ids.slice(0, maxExportedQuestions + 1);
  const details = some.length === 0 ? [] : await questionDetails(db, actor, ownQuestions(db, actor), some);
  if (isRefusal(details)) return details;
  return {
    title: '我的题目',
    questions: details.map((detail, index) => ({
      ...exportQuestion<QuestionItem>(detail, String(index + 1)),
      point: detail.point_path,
      tags: joinTags(detail.tags),
    })),
    losses: [],
  };
}

type StoredQuestion = Omit<QuestionDraft, 'ques_item'> & { id: number };

/** Makes a question for the writers. `number`: its number in the selection. `scoreOf`: its points, if it has some. */
export function exportQuestion<Question extends StoredQuestion>(
  question: Question & { ques_item?: readonly Question[] },
  number: string,
  scoreOf?: (question: Question) => number,
): ExportQuestion {
  const { id, ques_type, ques_stem, ques_option, right_answer, ignore_case, ques_analysis, facility_value, remark } =
    question;
  return {
    id,
    number,
    ques_type,
    ques_stem,
    ques_option,
    right_answer,
    ignore_case,
    ques_analysis,
    facility_value,
    remark,
    ...(scoreOf && { score: scoreOf(question) }),
    ques_item: (question.ques_item ?? []).map((part, index) =>
      exportQuestion<Question>(part, `${number}.${index + 1}`, scoreOf),
    ),
  };
}
