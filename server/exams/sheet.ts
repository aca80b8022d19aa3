/** The answer sheet of one submission. Question types are exam type codes. */

import type { Selectable } from 'kysely';
import { answerHtml, answerImages } from '#server/grading/answer-content.ts';
import { type AnswerStatus, answerStatus, isSubjective } from '#server/grading/rules.ts';
import { subjectiveAnswer } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { blanksOf, type QuestionType } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { logView } from '#server/school/view-log.ts';
import type { ExamSheet, SheetPart, SheetQuestion } from './paper.contract.ts';
import { examRanks, isScored, passResult } from './pass-and-rank.ts';
import { answerSource, attachmentsOf, choicesText, clampDifficulty, labelOptions } from './preview.ts';
import { answerableQuestions, examSections, type NumberedExamQuestion, type NumberedExamSection } from './questions.ts';
import { examPoints, isMatching, missingSheet, testStatus, toExamType } from './rules.ts';
import { parsedJson } from './stored-options.ts';
import { visibleExamReports, visibleSchoolId } from './visible.ts';

type Answer = Selectable<Tables['exam_answer']>;

/** Returns the sheet and records the view in the history. `now`: unix seconds. */
export async function examSheet(
  db: Database,
  actor: Actor,
  { reportId, now }: { reportId: number; now: number },
): Promise<ExamSheet | Refusal> {
  const report = await visibleExamReports(db, actor)
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .leftJoin('staff as reviewer', 'reviewer.id', 'exam_report.graded_by')
    .selectAll('exam_report')
    .select(['student.nickname', 'reviewer.real_name as reviewer_name'])
    .where('exam_report.id', '=', reportId)
    .executeTakeFirst();
  if (!report) return missing(missingSheet);
  await logView({ db, actor, now }, report.student_id);
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', report.exam_id).executeTakeFirstOrThrow();
  const sections = await examSections(db, exam.id);
  const answers = await answersOf(db, report.id);
  const rates = await averageRates(db, exam, visibleSchoolId(exam, actor));
  const { rankOf, ranked } = await examRanks(db, exam.id, [report.user_score]);
  const isRanked = isScored(exam) && report.test_status === testStatus.reviewed && report.is_effective === 1;
  const questions = answerableQuestions(sections);
  const worth = (kept: readonly NumberedExamQuestion[]) => kept.reduce((sum, { score }) => sum + score, 0);
  const subjective = questions.filter(({ ques_type }) => isSubjective(ques_type));
  const objective = questions.filter(({ ques_type }) => !isSubjective(ques_type));
  const earlier = await visibleExamReports(db, actor)
    .select(['exam_report.id', 'exam_report.submit_time'])
    .where('exam_report.exam_id', '=', exam.id)
    .where('exam_report.student_id', '=', report.student_id)
    .orderBy('exam_report.submit_time', 'desc')
    .orderBy('exam_report.id', 'desc')
    .execute();
  return {
    report_info: {
      report_id: report.id,
      exam_id: exam.id,
      test_name: exam.name,
      nickname: report.nickname,
      test_status: report.test_status,
      ranking: isRanked ? rankOf(report.user_score) : null,
      is_effective: report.is_effective,
      user_count: ranked,
      is_pass: passResult(report, exam),
      answer_time: report.answer_time,
      submit_time: report.submit_time,
      sum_score: examPoints(exam.score),
      score: examPoints(exam.score),
      pass_score: examPoints(exam.pass_score),
      user_score: examPoints(report.user_score),
      objective_score: objective.length > 0 ? examPoints(report.objective_score) : null,
      objective_total_score: examPoints(worth(objective)),
      subjective_score: subjective.length > 0 ? examPoints(report.subjective_score) : null,
      subjective_total_score: examPoints(worth(subjective)),
      comment: report.comment,
      reviewer_name: report.reviewer_name ?? '',
    },
    report_list: earlier,
    card_info: cardOf(sections, answers),
    question: sections.flatMap((section) =>
      section.questions.map((question) => sheetQuestion(section.id, question, answers, rates)),
    ),
  };
}

export async function answersOf(db: Database, reportId: number): Promise<ReadonlyMap<number, Answer>> {
  const rows = await db.selectFrom('exam_answer').selectAll().where('report_id', '=', reportId).execute();
  return new Map(rows.map((row) => [row.question_id, row]));
}

const statusOf = (answer: Answer | undefined): AnswerStatus =>
  (answer?.status ?? answerStatus.unanswered) as AnswerStatus;

const cardOf = (sections: readonly NumberedExamSection[], answers: ReadonlyMap<number, Answer>) =>
  sections.map((section) => ({
    id: section.id,
    name: section.name,
    child: answerableQuestions([section]).map((question) => ({
      id: question.id,
      sort: question.number,
      status: statusOf(answers.get(question.id)),
      is_sign: answers.get(question.id)?.is_sign ?? (0 as const),
      question_type: toExamType(question.ques_type),
    })),
  }));

/**
 * Returns the average scoring rate of each question, a percentage with one decimal, truncated, over the graded reports
 * that the user sees. Unanswered questions count as 0. The result lacks questions without any answer.
 */
export async function averageRates(
  db: Database,
  exam: Exam,
  schoolId: number | undefined,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('exam_question_figures')
    .innerJoin('exam_question', 'exam_question.id', 'exam_question_figures.question_id')
    .where('exam_question.exam_id', '=', exam.id)
    .$if(schoolId !== undefined, (query) => query.where('exam_question_figures.school_id', '=', schoolId ?? 0))
    .groupBy(['exam_question.id', 'exam_question.score'])
    .select((eb) => [
      'exam_question.id',
      'exam_question.score',
      eb.fn.sum<number>('score_sum').as('earned'),
      eb.fn.sum<number>('answered_count').as('answered'),
      eb.fn.sum<number>('unanswered_count').as('unanswered'),
    ])
    .execute();
  return new Map(
    rows.flatMap(({ id, score, earned, answered, unanswered }) => {
      const most = score * (Number(answered) + Number(unanswered));
      return most === 0 ? [] : [[id, Math.floor((Number(earned) * 1000) / most) / 10] as const];
    }),
  );
}

function sheetQuestion(
  sectionId: number,
  question: NumberedExamQuestion,
  answers: ReadonlyMap<number, Answer>,
  rates: ReadonlyMap<number, number>,
): SheetQuestion {
  const part = (one: NumberedExamQuestion): SheetPart => sheetPart(one, answers.get(one.id), rates.get(one.id));
  return { ...part(question), section_id: sectionId, ques_item: question.parts.map(part) };
}

/** Converts a question and a student's answer to it. `rate`: the question's result of `averageRates`. */
export function sheetPart(
  question: NumberedExamQuestion,
  answer: Answer | undefined,
  rate: number | undefined,
): SheetPart {
  const type = question.ques_type as QuestionType;
  const given = answer?.user_answer ?? '';
  const written = subjectiveAnswer(isSubjective(type) ? given : '');
  return {
    id: question.id,
    sort: question.number,
    ques_type: toExamType(type),
    ques_stem: renderMath(question.ques_stem),
    ques_option: labelOptions(question.options),
    right_answer: isSubjective(type) ? renderMath(question.right_answer) : question.right_answer,
    answer_html: renderMath(answerSource(question)),
    user_answer: given,
    user_answer_text: answerText(question, given),
    answer_content: answerHtml(written),
    answerImages: answerImages(written.images, marksOf(answer)),
    ques_analysis: renderMath(question.ques_analysis),
    facility_value: clampDifficulty(question.facility_value),
    ques_score: examPoints(question.score),
    user_score: answer && answer.score !== null ? examPoints(answer.score) : null,
    status: statusOf(answer),
    is_sign: answer?.is_sign ?? 0,
    average_rate: rate ?? null,
    review_comment: answer?.review_comment ?? '',
    review_attachments: attachmentsOf(answer?.review_attachments ?? '[]'),
    attachments: attachmentsOf(question.attachments),
  };
}

/** Formats an objective answer as plain text. */
function answerText({ ques_type, options }: NumberedExamQuestion, given: string): string {
  if (given.trim() === '' || isSubjective(ques_type)) return '';
  if (ques_type === 7)
    return blanksOf(given)
      .map((blank) => blank || '（空）')
      .join('；');
  // A non-blank answer without any known option was damaged in transfer; it is shown as a dash.
  return isMatching(options) ? choicesText(options, given) : choicesText(options, given) || '—';
}

/** Returns the mark-up of each image of an answer; an empty list if the stored value is invalid. */
function marksOf(answer: Answer | undefined): string {
  const stored = answer?.review_images ?? '[]';
  const list = parsedJson(stored);
  return Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null) ? stored : '[]';
}
