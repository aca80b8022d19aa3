/** Handing in an exam: scores what can be scored, and moves the sums of the exam in the same transaction. */

import { answerStatus, isMaterial, isSubjective, reportStatus } from '#server/homework/rules.ts';
import { reportTotals, type ScoredAnswer, scoreAnswer } from '#server/homework/scoring.ts';
import { sameAnswerKey } from '#server/homework/submission.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { locked } from '#server/platform/db/search.ts';
import type { Exam } from '#server/school/tables.ts';
import { countSubmission } from './figures.ts';
import { examMessages, examSubmitFault, missingExam, testStatus } from './rules.ts';

/** The tenths of each blank of a fill-in question; undefined where they share its score. */
export function blankScores(answerScore: string): number[] | undefined {
  const scores = answerScore.split('@@').map(Number);
  return answerScore !== '' && scores.every((score) => Number.isInteger(score) && score >= 0) ? scores : undefined;
}

interface QuestionToScore {
  id: number;
  ques_type: number;
  right_answer: string;
  score: number;
  answer_score: string;
}

/** What an answer of an exam earns, in tenths. */
export const scoreExamAnswer = (question: QuestionToScore, userAnswer: string): ScoredAnswer =>
  scoreAnswer({ ...question, blankScores: blankScores(question.answer_score) }, userAnswer);

/**
 * Whether the conditions of completion are met: every question was answered, within the time limit where there is one.
 */
export const finishesConditions = (
  exam: Pick<Exam, 'limit_time'>,
  answerTime: number,
  answers: readonly Pick<ScoredAnswer, 'status'>[],
): boolean =>
  (exam.limit_time === 0 || answerTime <= exam.limit_time) &&
  answers.every((answer) => answer.status !== answerStatus.unanswered);

export interface ExamSubmission {
  examId: number;
  studentId: number;
  /** What is left out counts as unanswered; `isSigned` where the student marked the question. */
  answers: { questionId: number; userAnswer: string; isSigned?: boolean }[];
  /** Seconds. */
  answerTime: number;
  /** Unix seconds. */
  submitTime: number;
}

/**
 * Stores a submission, a student's first or a further one, as waiting (2) or reviewed (3). Scores in the answer are
 * tenths. Refused: no such exam or student, not published or not open, handed in as often as may be, an answer to what is
 * no question of it.
 */
export async function submitExam(
  db: Database,
  { examId, studentId, answers, answerTime, submitTime }: ExamSubmission,
): Promise<{ reportId: number; test_status: 2 | 3; user_score: number } | Refusal> {
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', examId).$call(locked(db)).executeTakeFirst();
  const student = await db.selectFrom('student').select('school_id').where('id', '=', studentId).executeTakeFirst();
  if (!exam || !student) return missing(missingExam);
  const { earlier } = await db
    .selectFrom('exam_report')
    .select((eb) => eb.fn.countAll<number>().as('earlier'))
    .where('exam_id', '=', examId)
    .where('student_id', '=', studentId)
    .executeTakeFirstOrThrow();
  const refusal = refuseFor('conflict', examSubmitFault(exam, { at: submitTime, earlier }));
  if (refusal) return refusal;
  const written = await writeSubmission(db, exam, {
    student: { id: studentId, school_id: student.school_id },
    answers,
    answerTime,
    submitTime,
  });
  if (isRefusal(written)) return written;
  await countSubmission(db, exam, written.report, written.scored);
  return { reportId: written.id, test_status: written.report.test_status, user_score: written.report.user_score };
}

/** Stores a submission and what it earns. It is counted by countSubmission, with the exam held. */
export async function writeSubmission(
  db: Database,
  exam: Exam,
  {
    student,
    answers,
    answerTime,
    submitTime,
  }: { student: { id: number; school_id: number } } & Pick<ExamSubmission, 'answers' | 'answerTime' | 'submitTime'>,
) {
  const rows = await db
    .selectFrom('exam_question')
    .select(['id', 'ques_type', 'right_answer', 'score', 'answer_score'])
    .where('exam_id', '=', exam.id)
    .execute();
  const questions = rows.filter((question) => !isMaterial(question.ques_type));
  const given = new Map(answers.map((answer) => [answer.questionId, answer]));
  const known = new Set(questions.map((question) => question.id));
  if (given.size < answers.length || [...given.keys()].some((id) => !known.has(id))) {
    return invalid({ answers: [examMessages.wrongAnswers] });
  }
  const scored = questions.map((question) => {
    const userAnswer = given.get(question.id)?.userAnswer ?? '';
    return {
      question,
      userAnswer,
      subjective: isSubjective(question.ques_type),
      ...scoreExamAnswer(question, userAnswer),
    };
  });
  const { status, ...totals } = reportTotals(scored);
  const report = {
    ...totals,
    exam_id: exam.id,
    student_id: student.id,
    school_id: student.school_id,
    test_status: status === reportStatus.graded ? testStatus.reviewed : testStatus.waiting,
    submit_time: submitTime,
    answer_time: answerTime,
    is_finish_conditions: finishesConditions(exam, answerTime, scored) ? (1 as const) : (0 as const),
    graded_at: status === reportStatus.graded ? submitTime : null,
    graded_by: null,
  };
  const { id } = await db
    .insertInto('exam_report')
    .values({ ...report, changed_at: submitTime })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (scored.length > 0) {
    await db
      .insertInto('exam_answer')
      .values(
        scored.map(({ question, userAnswer, status, score }) => ({
          report_id: id,
          question_id: question.id,
          status,
          user_answer: userAnswer,
          answer_key: sameAnswerKey(userAnswer, status),
          score,
          is_sign: given.get(question.id)?.isSigned ? (1 as const) : (0 as const),
          reviewed_by: null,
          reviewed_at: null,
        })),
      )
      .execute();
  }
  return { id, report, scored };
}
