/** Calls of learners that read homework. Right answers and results are left out until the learner may see them. */

import { sql } from 'kysely';
import type * as v from 'valibot';
import { answerHtml, answerImages } from '#server/grading/answer-content.ts';
import { isSubjective, pointsOf, reportStatus, type ScoreMode, wholeTenths } from '#server/grading/rules.ts';
import { fullScore, subjectiveAnswer, wholePercent } from '#server/grading/scoring.ts';
import { answerDraftOf } from '#server/homework/answer-draft.ts';
import {
  hasEnded,
  homeworkMessages,
  missingHomework,
  recalledStatus,
  showsRightAnswers,
} from '#server/homework/rules.ts';
import { batchedVersions, handleApplication, versionOf, withLearner } from '#server/learners/application.ts';
import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { blanksOf } from '#server/questions/rules.ts';
import { changedRows, laterOf } from '#server/school/change-feed.ts';
import { type HomeworkDetail, type HomeworkRow, listHomework, type Question, showHomework } from './learner-calls.ts';
import { answeredQuestion, answersOf, questionsWithContent, reportHead, scoresOf } from './paper.ts';

/** Seconds. Names may change without a change of the homework, so the version of a list changes at least hourly. */
const hour = 60 * 60;

export const learnerReadingCalls = [
  handleApplication(listHomework, {
    version: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => homeworkVersion(db, uid, now)),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => homeworkList(db, uid, { ...query, now })),
  }),
  handleApplication(showHomework, {
    version: ({ params, query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => detailVersion(db, uid, params.hwId, now)),
    answer: ({ params, query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => homeworkDetail(db, uid, params.hwId, now)),
  }),
];

const reportsOf = (db: Database, uid: number) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.student_id', '=', uid);

/** Hot query: thousands of learners poll it every few seconds. */
const homeworkSums = prepared((db, { uids, now }: Placeholders<{ uids: string; now: number }>) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.student_id', 'in', inJsonIds(db, uids))
    .select('report.student_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('reports'),
      sql<number>`coalesce(sum(report.changed_at + homework.changed_at), 0)`.as('changes'),
      sql<number>`coalesce(sum(case when homework.ending_time > ${now} then 1 else 0 end), 0)`.as('open'),
    ])
    .groupBy('report.student_id'),
);

/**
 * Version of a learner's homework list. Every change of a report raises its `changed_at`. The number of open reports
 * (`open`) changes when a deadline passes.
 */
const homeworkVersion = batchedVersions(async (db, uids, now) =>
  (await homeworkSums(db, { uids: JSON.stringify(uids), now })).map(({ student_id, reports, changes, open }) => ({
    uid: student_id,
    facts: [reports, changes, open],
  })),
);

async function detailVersion(db: Database, uid: number, homeworkId: number, now: number): Promise<string | Refusal> {
  const row = await reportsOf(db, uid)
    .leftJoin('answer_draft', 'answer_draft.report_id', 'report.id')
    .select(['report.id', 'report.changed_at', 'homework.changed_at as homework_changed_at', 'homework.ending_time'])
    .select(['answer_draft.version', 'answer_draft.saved_at'])
    .where('report.homework_id', '=', homeworkId)
    .executeTakeFirst();
  if (!row) return missing(missingHomework);
  const { id, changed_at, homework_changed_at, version, saved_at } = row;
  const isOver = hasEnded(row, now) ? 1 : 0;
  return versionOf(id, changed_at, homework_changed_at, version, saved_at, isOver, Math.floor(now / hour));
}

const rowsOf = (db: Database, uid: number) =>
  reportsOf(db, uid)
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('class', 'class.id', 'report.class_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select([
      'homework.id',
      'homework.name',
      'homework.type',
      'homework.status as homework_status',
      'homework.is_set_score',
      'homework.right_answers',
      'homework.total_score',
      'homework.publish_time',
      'homework.ending_time',
      'homework.course_id',
      'course.title as course_title',
      'period.title as period_title',
      'report.class_id',
      'class.name as class_name',
      'report.id as report_id',
      'report.status',
      'report.submit_time',
      'report.graded_at',
      'report.user_score',
      laterOf(db, 'report.changed_at', 'homework.changed_at').as('changed_at'),
    ])
    .select((eb) =>
      eb
        .selectFrom('answer')
        .select((count) => count.fn.countAll<number>().as('answers'))
        .whereRef('answer.report_id', '=', 'report.id')
        .as('answers'),
    );
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

async function homeworkList(
  db: Database,
  uid: number,
  { state, now, ...following }: v.InferOutput<NonNullable<typeof listHomework.query>> & { now: number },
) {
  let query = rowsOf(db, uid);
  if (state !== undefined) query = query.where('homework.status', '!=', recalledStatus);
  if (state === 'open') {
    query = query.where('report.status', '=', reportStatus.notSubmitted).where('homework.ending_time', '>', now);
  }
  if (state === 'done') {
    query = query.where((eb) =>
      eb.or([eb('report.status', '!=', reportStatus.notSubmitted), eb('homework.ending_time', '<=', now)]),
    );
  }
  const { rows, ...position } = await changedRows<Row>(
    query,
    {
      changed: laterOf(db, 'report.changed_at', 'homework.changed_at'),
      id: sql<number>`homework.id`,
      of: ({ changed_at, id }) => ({ at: changed_at, id }),
    },
    { ...following, now },
  );
  return { list: rows.map((row) => rowOf(row, now)), ...position };
}

function stateOf(row: Row, now: number): HomeworkRow['state'] {
  if (row.homework_status === recalledStatus) return 'recalled';
  if (row.status === reportStatus.graded) return 'graded';
  if (row.status === reportStatus.waiting) return 'waiting';
  return hasEnded(row, now) ? 'missed' : 'open';
}

function rowOf(row: Row, now: number): HomeworkRow {
  const mode: ScoreMode = row.is_set_score;
  const state = stateOf(row, now);
  const isGraded = state === 'graded';
  const full = mode === 1 ? fullScore(mode, 0) * Number(row.answers ?? 0) : row.total_score;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    course: { id: row.course_id, name: row.course_title },
    period_title: row.period_title ?? '',
    class: { id: row.class_id, name: row.class_name },
    publish_time: row.publish_time,
    ending_time: row.ending_time,
    state,
    submit_time: row.submit_time,
    graded_at: isGraded ? row.graded_at : null,
    is_set_score: mode,
    user_score: isGraded ? wholeTenths(mode, row.user_score) : null,
    correct_rate: isGraded ? wholePercent(row.user_score, full) : null,
  };
}

async function homeworkDetail(
  db: Database,
  uid: number,
  homeworkId: number,
  now: number,
): Promise<v.InferOutput<typeof HomeworkDetail> | Refusal> {
  const row = await rowsOf(db, uid)
    .select('homework.remark')
    .where('report.homework_id', '=', homeworkId)
    .executeTakeFirst();
  if (!row) return missing(missingHomework);
  if (row.homework_status === recalledStatus) return conflict(homeworkMessages.recordsGone);
  const summary = rowOf(row, now);
  const isGraded = summary.state === 'graded';
  const showsRight = showsRightAnswers(row, row, now);
  const [head, questions, answers, draft] = await Promise.all([
    reportHead(db, row.report_id),
    questionsWithContent(db, homeworkId),
    answersOf(db, row.report_id),
    answerDraftOf(db, row.report_id),
  ]);
  const scores = head && isGraded ? scoresOf(head, questions) : undefined;
  return {
    ...summary,
    remark: row.remark,
    answers_shown: showsRight ? 1 : 0,
    questions: questions.map((question) =>
      questionOf(row.is_set_score, question, answers.get(question.id), { isGraded, showsRight }),
    ),
    draft: row.status === reportStatus.notSubmitted ? (draft ?? null) : null,
    result: scores
      ? {
          user_score: scores.user_score,
          sum_score: scores.sum_score,
          correct_rate: scores.correct_rate,
          comment: head?.comment ?? '',
        }
      : null,
  };
}

/** Converts a question for a learner. Leaves out results and right answers that the learner may not see yet. */
function questionOf(
  mode: ScoreMode,
  question: Awaited<ReturnType<typeof questionsWithContent>>[number],
  answer: Parameters<typeof answeredQuestion>[2],
  { isGraded, showsRight }: { isGraded: boolean; showsRight: boolean },
): v.InferOutput<typeof Question> {
  const options = JSON.parse(question.ques_option) as { id: number; content: string }[];
  const textAnswer = subjectiveAnswer(isSubjective(question.ques_type) ? (answer?.user_answer ?? '') : '');
  const result = isGraded ? answeredQuestion(mode, question, answer) : undefined;
  return {
    id: question.id,
    sort: question.number,
    material: question.material ? renderMath(question.material.ques_stem) : '',
    ques_type: question.ques_type,
    ques_stem: renderMath(question.ques_stem),
    ques_option: options.map(({ id, content }) => ({ id, content: renderMath(content) })),
    blanks: question.ques_type === 7 ? blanksOf(question.right_answer).length : 0,
    ques_score: pointsOf(mode, fullScore(mode, question.score)),
    user_answer: answer?.user_answer ?? '',
    answer_content: answerHtml(textAnswer),
    answer_images: answerImages(textAnswer.images, isGraded ? (answer?.review_images ?? '[]') : '[]'),
    result: result
      ? {
          status: result.status,
          user_score: result.user_score,
          right_answer: showsRight ? result.right_answer : '',
          right_answer_shown: showsRight ? result.right_answer_shown : '',
          ques_analysis: showsRight ? result.ques_analysis : '',
          review_comment: result.review_comment,
          review_attachments: result.review_attachments,
        }
      : null,
  };
}
