/** Validates the fields and questions of a publication. Has no side effects. */

import { isMaterial, pointsMode, storedScore } from '#server/grading/rules.ts';
import { fullScore, materialScore } from '#server/grading/scoring.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { totalComplexityFault } from '#server/platform/text/rich-text-limits.ts';
import { textsOf } from '#server/questions/display.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { validateDraft } from '#server/questions/write.ts';
import { yesterdayStart } from '#server/school/calendar.ts';
import { CompletePublication, type PublishBody, type SentQuestion, wrongChoice } from './publication.contract.ts';
import type { ScoredQuestion } from './questions.ts';
import {
  maxHomeworkTags,
  newDeadlineFault,
  publicationMessages,
  questionLimit,
  questionScoreFault,
  rightAnswers,
  sourceSession,
} from './rules.ts';

export interface Publication {
  courseId: number;
  scope: 1 | 2 | 3;
  childIds: number[];
  type: 1 | 2;
  /** Period of a period homework; null for course homework. */
  periodId: number | null;
  name: string;
  remark: string;
  /** Unix seconds. */
  endingTime: number;
  /** 1 rated, 2 scored in points. */
  isSetScore: 1 | 2;
  rightAnswers: 1 | 2;
  /** The lesson that the homework is published from. */
  sessionId: number | undefined;
  arrangeType: number | null;
  source: 1 | 2;
  /** Classes of the scope to publish to; undefined for all classes of the scope. */
  classIds: number[] | undefined;
}

/**
 * Returns the publication in its stored form, and the errors by field. The publication is undefined if there are
 * errors.
 */
export function parsePublication(
  body: PublishBody,
  { now, timezone }: { now: number; timezone: string },
): { publication: Publication | undefined; errors: FieldErrors } {
  const { output: settings, errors } = validateComplete(CompletePublication, body);
  const deadline = newDeadlineFault(body.ending_time, yesterdayStart(now, timezone));
  if (deadline) errors.ending_time = [deadline];
  for (const field of ['arrange_type', 'source'] as const)
    if (body[field] === wrongChoice) errors[field] = [publicationMessages.way];
  if (body.arrange_type === sourceSession && body.arrange_id === undefined) {
    errors.arrange_id = [publicationMessages.session];
  }
  const questionCount = body.question.reduce((sum, { ques_item }) => sum + 1 + ques_item.length, 0);
  if (questionCount > questionLimit) errors.question = [publicationMessages.tooManyQuestions];

  if (!settings || Object.keys(errors).length > 0) return { publication: undefined, errors };
  const { type } = settings;
  const publication = {
    courseId: settings.course_basis_id,
    scope: settings.publish_scope,
    childIds: body.child_course_basis_ids,
    type,
    periodId: type === 2 ? (settings.course_periods_id ?? null) : null,
    name: settings.name,
    remark: settings.remark,
    endingTime: settings.ending_time,
    isSetScore: settings.is_set_score,
    rightAnswers: body.right_answers ?? rightAnswers.afterDeadline,
    sessionId: body.arrange_id,
    arrangeType: body.arrange_type ?? (body.arrange_id === undefined ? null : sourceSession),
    source: body.source === wrongChoice ? 1 : (body.source ?? 1),
    classIds: settings.class_ids,
  };
  return { publication, errors };
}

/** Questions of the bank that the sent questions refer to. */
export interface BankQuestions {
  /** Content by question id, for questions that were sent by id only. */
  drafts: ReadonlyMap<number, QuestionDraft>;
  /** Ids of all sent `source_id`s that the sender may use. */
  sources: ReadonlySet<number>;
}

/**
 * Returns the questions to publish, and the errors by path, such as `question.0.ques_stem`. Yields to other requests
 * between questions: a homework may have hundreds.
 */
export async function parseQuestions(
  sent: readonly SentQuestion[],
  isSetScore: 1 | 2 | undefined,
  bank: BankQuestions,
): Promise<{ questions: ScoredQuestion[]; errors: FieldErrors }> {
  const errors: FieldErrors = {};
  const questions: ScoredQuestion[] = [];
  const texts = sent.flatMap((question) => [question, ...question.ques_item].flatMap(textsOf));
  const fault = totalComplexityFault(texts, maxHomeworkTags);
  if (fault) return { questions, errors: { question: [fault] } };
  const turns = new Yielding();
  const places = new Map<number, number>();
  for (const [index, question] of sent.entries()) {
    const at = `question.${index}.`;
    const sourceId = sourceOf(question, bank);
    const before = sourceId === null ? undefined : places.get(sourceId);
    if (before !== undefined) errors[`${at}id`] = [publicationMessages.sameQuestion(before + 1)];
    else if (sourceId !== null) places.set(sourceId, index);
    const draft = contentOf(question, bank);
    if (isRefusal(draft)) {
      for (const [field, messages] of Object.entries(draft.errors ?? {})) errors[at + field] = messages;
    } else questions.push(scored(draft, question, { isSetScore, at, errors, sourceId }));
    await turns.others();
  }
  return { questions, errors };
}

/** Sanitizes and validates content that was sent; content of the bank is clean already. */
function contentOf(sent: SentQuestion, { drafts }: BankQuestions): QuestionDraft | Refusal {
  const fromBank = sent.id !== undefined && sent.ques_stem === '' ? drafts.get(sent.id) : undefined;
  // Drops remarks, which are internal notes of the bank.
  return (
    fromBank ??
    validateDraft({ ...sent, remark: '', ques_item: sent.ques_item.map((part) => ({ ...part, remark: '' })) })
  );
}

/** Returns the id of the bank question to publish; undefined if `id` is the id of a homework question. */
export const bankQuestionId = ({ id, source_id, ques_stem }: SentQuestion): number | undefined =>
  source_id === undefined || ques_stem === '' ? id : undefined;

function sourceOf(sent: SentQuestion, { sources }: BankQuestions): number | null {
  const named = bankQuestionId(sent);
  if (named !== undefined) return named;
  const { source_id } = sent;
  return source_id !== undefined && source_id !== null && sources.has(source_id) ? source_id : null;
}

interface Scoring {
  isSetScore: 1 | 2 | undefined;
  /** Path of the question's fields in `errors`, such as `question.0`. */
  at: string;
  errors: FieldErrors;
  sourceId: number | null;
}

function scored(
  draft: QuestionDraft,
  sent: { ques_score?: number | undefined; ques_item?: { ques_score?: number | undefined }[] } | undefined,
  scoring: Scoring,
): ScoredQuestion {
  const { isSetScore, at, errors, sourceId } = scoring;
  const parts = draft.ques_item.map((part, index) =>
    scored(part, sent?.ques_item?.[index], { ...scoring, at: `${at}ques_item.${index}.`, sourceId: null }),
  );
  let score = materialScore(parts);
  if (!isMaterial(draft.ques_type)) {
    const points = isSetScore === pointsMode ? sent?.ques_score : undefined;
    const fault = isSetScore === pointsMode ? questionScoreFault(points) : undefined;
    if (fault) errors[`${at}ques_score`] = [fault];
    score = fullScore(isSetScore ?? pointsMode, storedScore(pointsMode, points ?? 0) ?? 0);
  }
  return { ...draft, source_id: sourceId, score, ques_item: parts };
}
