/** Data of the grading screen for one homework report. */

import type { GradedAnswer } from '#server/grading/answer-review.ts';
import { judgedBlanks } from '#server/grading/blank-judgments.ts';
import { answerStatus, fillIn, isSubjective } from '#server/grading/rules.ts';
import { markOf } from '#server/grading/scoring.ts';
import { currentJudgments } from '#server/homework/blank-judgments.ts';
import { missingHomework, recordsFault } from '#server/homework/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import { lessonOfHomework } from '#server/sessions/lesson.ts';
import type { CourseArrange } from './answer.contract.ts';
import { frequentComments } from './frequent-comments.ts';
import { gradingQueueOf, nextReport } from './grading-queue.ts';
import type { ReportInfo, ReviewQuestion } from './homework.contract.ts';
import type { SavedMark } from './mark.contract.ts';
import {
  answeredQuestion,
  answersOf,
  cardOf,
  numberedQuestions,
  questionsWithContent,
  reportHead,
  reviewState,
  scoresOf,
  statusOf,
} from './paper.ts';
import { subjectiveTab } from './rules.ts';
import { canSeeReport, visibleReportsById } from './visible.ts';

interface Scope {
  report_id?: number | undefined;
  class_id?: number | undefined;
}

export const reportNotFound = () => missing(missingHomework);

/** Returns the report that the actor sees. 404: no such report. 409: its homework is recalled. */
export async function requireReadableReport(db: Database, actor: Actor, scope: Scope) {
  const head = await findVisibleReport(db, actor, scope);
  if (!head) return reportNotFound();
  return refuseFor('conflict', recordsFault({ status: head.homework_status })) ?? head;
}

/** Like `requireReadableReport`, but accepts recalled homework. Undefined if the actor does not see the report. */
export async function findVisibleReport(db: Database, actor: Actor, { report_id, class_id }: Scope) {
  if (!(await canSeeReport(db, actor, report_id, class_id))) return undefined;
  return reportHead(db, report_id as number);
}

/** Returns a report for grading, and records in the history that the actor viewed it. `now` in unix seconds. */
export async function reportReview(
  db: Database,
  actor: Actor,
  request: Scope & { type: number; skip: readonly number[] },
  { now, timezone }: { now: number; timezone: string },
) {
  const head = await requireReadableReport(db, actor, request);
  if (isRefusal(head)) return head;
  await logView({ db, actor, now }, head.student_id);
  const places = await numberedQuestions(db, head.homework_id);
  const answers = await answersOf(db, head.id);
  const { mode, sumStored: _, ...scores } = scoresOf(head, places);
  const card = cardOf(places, answers);
  const queue = await gradingQueueOf(db, actor, head.homework_id);
  const report_info: ReportInfo = {
    report_id: head.id,
    hw_id: head.homework_id,
    uid: head.student_id,
    class_id: head.class_id,
    hw_name: head.homework_name,
    nickname: head.nickname,
    class_name: head.class_name,
    course_title: head.course_title,
    periods_name: head.period_title ?? '',
    is_set_score: mode,
    test_status: head.status,
    hw_status: head.homework_status,
    submit_time: head.submit_time ?? 0,
    answer_time: head.answer_time,
    ...scores,
    comment: head.comment,
    submitted_count: queue.submitted_count,
    waiting_count: queue.waiting_count,
  };
  const here = { reportId: head.id, homeworkId: head.homework_id };
  return {
    report_info,
    course_arrange: await sourceLesson(db, head.homework_id, timezone),
    scantron: (request.type === subjectiveTab ? card.subjective : card.objective).map(({ question_id, sort }) => {
      const answer = answers.get(question_id);
      return {
        ques_id: question_id,
        sort,
        status: statusOf(answer),
        user_score: answer && answer.score !== null ? markOf(mode, answer.score) : null,
        review_comment: answer?.review_comment ?? '',
      };
    }),
    subject_card_info: card.subjective,
    objective_card_info: card.objective,
    next_report_id: await nextReport(db, actor, here, { classId: request.class_id, skip: request.skip }),
  };
}

/** Returns the lesson that the homework was published from, or null. */
export async function sourceLesson(db: Database, homeworkId: number, timezone: string): Promise<CourseArrange | null> {
  const lesson = await lessonOfHomework(db, homeworkId, timezone);
  if (!lesson) return null;
  const { subject_name: sub_name, ...rest } = lesson;
  return { ...rest, sub_name };
}

/** Returns one page of the questions of a tab, with the student's answers. */
export async function questionsForReview(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  request: Scope & { type: number; ques_id?: number | undefined; page: number; limit: number },
): Promise<Page<ReviewQuestion> | Refusal> {
  const head = await requireReadableReport(db, actor, request);
  if (isRefusal(head)) return head;
  await logView({ db, actor, now }, head.student_id);
  const mode = head.is_set_score;
  const all = await questionsWithContent(db, head.homework_id);
  const matching = all.filter(
    ({ id, ques_type }) =>
      isSubjective(ques_type) === (request.type === subjectiveTab) &&
      (request.ques_id === undefined || id === request.ques_id),
  );
  const { list: shown, ...range } = await pageOf(matching.length, request, ({ limit, offset }) =>
    matching.slice(offset, offset + limit),
  );
  const answers = await answersOf(db, head.id);
  const questionIds = shown.filter(({ ques_type }) => isSubjective(ques_type)).map(({ id }) => id);
  const shownAnswers = shown.flatMap(({ id }) => answers.get(id) ?? []);
  const [comments, same] = [
    await frequentComments(db.selectFrom('answer'), actor, questionIds),
    await countSame(db, actor, head.homework_id, shownAnswers),
  ];
  const hasBlanks = shown.some(({ ques_type }) => ques_type === fillIn);
  const judgments = hasBlanks ? await currentJudgments(db, head.homework_id) : [];
  const list = shown.map((question) => {
    const answer = answers.get(question.id);
    const waits = answer?.status === answerStatus.waiting && answer.answer_key !== null;
    return {
      ...answeredQuestion(mode, question, answer),
      version: answer?.version ?? 0,
      reviewer_name: answer?.reviewer_name ?? '',
      same_count: waits ? Math.max(0, (same.get(`${question.id} ${answer.answer_key}`) ?? 0) - 1) : 0,
      my_comments: comments.get(question.id) ?? [],
      ...(question.ques_type === fillIn && answer
        ? { blanks: judgedBlanks(question, answer.user_answer, judgments) }
        : {}),
    };
  });
  return { list, ...range };
}

/**
 * Counts the ungraded answers that are equal to the given answers, among reports that the actor sees. Key of the map:
 * question id and answer key, separated by a space.
 */
async function countSame(
  db: Database,
  actor: Actor,
  homeworkId: number,
  answers: readonly { question_id: number; answer_key: string | null }[],
): Promise<Map<string, number>> {
  const keyed = answers.filter(({ answer_key }) => answer_key !== null);
  if (keyed.length === 0) return new Map();
  const questionIds = keyed.map(({ question_id }) => question_id);
  const keys = keyed.map(({ answer_key }) => answer_key);
  const rows = await visibleReportsById(db, actor)
    .innerJoin('answer', 'answer.report_id', 'report.id')
    .where('homework.id', '=', homeworkId)
    .where('report.status', '=', 2)
    .where('answer.status', '=', answerStatus.waiting)
    // Uses the index on these two columns, because equal answers are fewer than ungraded reports.
    .where('answer.question_id', 'in', questionIds)
    .where('answer.answer_key', 'in', keys)
    .select(['answer.question_id', 'answer.answer_key'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['answer.question_id', 'answer.answer_key'])
    .execute();
  return new Map(rows.map((row) => [`${row.question_id} ${row.answer_key}`, row.count]));
}

/** Converts a graded answer to the fields that the grading screen shows. */
export const markedAnswer = ({ mode, status, score, version }: GradedAnswer): SavedMark => ({
  status: statusOf({ status }),
  is_review: reviewState(status),
  user_score: score === null ? null : markOf(mode, score),
  version,
});
