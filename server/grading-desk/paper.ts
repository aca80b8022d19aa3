/** Reads one homework report: its summary, numbered questions and answers. */

import { answerHtml, answerImages } from '#server/grading/answer-content.ts';
import {
  type AnswerStatus,
  answerStatus,
  isSubjective,
  pointsOf,
  type ScoreMode,
  wholeTenths,
} from '#server/grading/rules.ts';
import { fullScore, markOf, subjectiveAnswer, wholePercent } from '#server/grading/scoring.ts';
import { numberQuestions } from '#server/homework/numbering.ts';
import { inYearOfReport } from '#server/homework/report-years.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { displayOf, prepareQuestions } from '#server/questions/display.ts';
import type { Attachment, CardItem } from './answer.contract.ts';

export type ReportHead = NonNullable<Awaited<ReturnType<typeof reportHead>>>;

/** Reads a report with the names of its homework, student and class. The caller must check permissions. */
export const reportHead = (db: Database, reportId: number) =>
  memoizePerPage(db, `head of report ${reportId}`, () => readHead(db, reportId));

function readHead(db: Database, reportId: number) {
  return db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .innerJoin('class', 'class.id', 'report.class_id')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .leftJoin('staff as reviewer', 'reviewer.id', 'report.graded_by')
    .select([
      'report.id',
      'report.homework_id',
      'report.student_id',
      'report.class_id',
      'report.status',
      'report.submit_time',
      'report.answer_time',
      'report.user_score',
      'report.objective_score',
      'report.subjective_score',
      'report.comment',
      'report.graded_at',
      'reviewer.real_name as reviewer_name',
      'homework.name as homework_name',
      'homework.status as homework_status',
      'homework.is_set_score',
      'homework.ending_time',
      'student.nickname',
      'class.name as class_name',
      'course.title as course_title',
      'period.title as period_title',
    ])
    .where('report.id', '=', reportId)
    .where(inYearOfReport(reportId))
    .executeTakeFirst();
}

const questionColumns = ['id', 'parent_id', 'sort', 'ques_type', 'score'] as const;

/** Returns the questions of a homework in order, with number, type and score only. */
export async function numberedQuestions(db: Database, homeworkId: number) {
  const rows = await db
    .selectFrom('homework_question')
    .select(questionColumns)
    .where('homework_id', '=', homeworkId)
    .execute();
  return numberQuestions(rows);
}
export type NumberedQuestion = Awaited<ReturnType<typeof numberedQuestions>>[number];

/** Returns the questions of a homework in order, with all columns. */
export const questionsWithContent = (db: Database, homeworkId: number) =>
  memoizePerPage(db, `whole questions of ${homeworkId}`, () => readQuestions(db, homeworkId));

async function readQuestions(db: Database, homeworkId: number) {
  const rows = await db.selectFrom('homework_question').selectAll().where('homework_id', '=', homeworkId).execute();
  await prepareQuestions(rows);
  return numberQuestions(rows);
}
type QuestionWithContent = Awaited<ReturnType<typeof questionsWithContent>>[number];

/** Returns the answers of a report by question id; empty until the report is submitted. */
export const answersOf = (db: Database, reportId: number) =>
  memoizePerPage(db, `answers of report ${reportId}`, () => readAnswers(db, reportId));

async function readAnswers(db: Database, reportId: number) {
  const rows = await db
    .selectFrom('answer')
    .leftJoin('staff as reviewer', 'reviewer.id', 'answer.reviewed_by')
    .selectAll('answer')
    .select('reviewer.real_name as reviewer_name')
    .where('report_id', '=', reportId)
    .execute();
  return new Map(rows.map((row) => [row.question_id, row]));
}
type StoredAnswer = NonNullable<ReturnType<Awaited<ReturnType<typeof answersOf>>['get']>>;

/** Returns 1 (graded) for an unanswered question too, because there is nothing to grade. */
export const reviewState = (status: number): 1 | 2 => (status === answerStatus.waiting ? 2 : 1);

export const statusOf = (answer: { status: number } | undefined): AnswerStatus =>
  (answer?.status ?? answerStatus.unanswered) as AnswerStatus;

export function cardOf(
  questions: readonly Pick<NumberedQuestion, 'id' | 'number' | 'ques_type'>[],
  answers: ReadonlyMap<number, { status: number }>,
): { subjective: CardItem[]; objective: CardItem[]; all: CardItem[] } {
  const item = (question: Pick<NumberedQuestion, 'id' | 'number'>): CardItem => {
    const status = statusOf(answers.get(question.id));
    return { question_id: question.id, sort: question.number, is_review: reviewState(status), status };
  };
  return {
    subjective: questions.filter((question) => isSubjective(question.ques_type)).map(item),
    objective: questions.filter((question) => !isSubjective(question.ques_type)).map(item),
    all: questions.map(item),
  };
}

/**
 * Returns possible and earned scores in points, and rates in whole percent. They are computed from exact sums; decimals
 * beyond are cut off.
 */
export function scoresOf(head: ReportHead, questions: readonly NumberedQuestion[]) {
  const mode = head.is_set_score;
  const totalScore = (list: readonly NumberedQuestion[]) =>
    list.reduce((sum, question) => sum + fullScore(mode, question.score), 0);
  const objective = totalScore(questions.filter((question) => !isSubjective(question.ques_type)));
  const subjective = totalScore(questions.filter((question) => isSubjective(question.ques_type)));
  const points = (stored: number) => wholeTenths(mode, stored);
  return {
    mode,
    user_score: points(head.user_score),
    sum_score: points(objective + subjective),
    correct_rate: wholePercent(head.user_score, objective + subjective),
    objective_score: points(head.objective_score),
    objective_total_score: points(objective),
    objective_rate: wholePercent(head.objective_score, objective),
    subjective_score: points(head.subjective_score),
    subjective_total_score: points(subjective),
    subjective_rate: wholePercent(head.subjective_score, subjective),
    sumStored: objective + subjective,
  };
}

/** Converts a question with one student's answer to the fields of the calls. */
export function answeredQuestion(mode: ScoreMode, question: QuestionWithContent, answer: StoredAnswer | undefined) {
  const status = statusOf(answer);
  const textAnswer = subjectiveAnswer(isSubjective(question.ques_type) ? (answer?.user_answer ?? '') : '');
  const ques_type = question.ques_type as 1 | 2 | 3 | 4 | 5 | 7;
  const options = JSON.parse(question.ques_option) as { id: number; content: string; is_right: 1 | 2 }[];
  const display = displayOf({ ...question, ques_type, ques_option: options });
  return {
    id: question.id,
    sort: question.number,
    parent_id: question.parent_id,
    parent_ques_item: question.material ? renderMath(question.material.ques_stem) : '',
    ques_type,
    ques_stem: display.ques_stem,
    ques_option: options.map(({ id, is_right }, position) => ({
      id,
      content: display.ques_option[position] ?? '',
      is_right,
    })),
    right_answer: question.right_answer,
    right_answer_shown: display.right_answer,
    ques_analysis: display.ques_analysis,
    facility_value: question.facility_value as 1 | 2 | 3 | 4 | 5,
    ques_score: pointsOf(mode, fullScore(mode, question.score)),
    user_answer: answer?.user_answer ?? '',
    answer_content: answerHtml(textAnswer),
    answerImages: answerImages(textAnswer.images, answer?.review_images ?? '[]'),
    user_score: answer && answer.score !== null ? markOf(mode, answer.score) : null,
    status,
    is_review: reviewState(status),
    review_comment: answer?.review_comment ?? '',
    review_attachments: JSON.parse(answer?.review_attachments ?? '[]') as Attachment[],
  };
}
