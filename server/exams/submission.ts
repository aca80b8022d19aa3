/** Stores the submissions of an exam: scores objective answers, and updates the exam's sums in the same transaction. */

import { type JudgeBlank, judgmentsByQuestion } from '#server/grading/blank-judgments.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { answerStatus, fillIn, isMaterial, isSubjective, reportStatus } from '#server/grading/rules.ts';
import { reportTotals, type ScoredAnswer, scoreAnswer } from '#server/grading/scoring.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { columnNames, jsonRows, selectJsonRows } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Exam } from '#server/schema/database.ts';
import { currentExamJudgments } from './current-judgments.ts';
import { type CountedSubmission, countSubmissions } from './figures.ts';
import { examMessages, examSubmitFault, missingExam, testStatus } from './rules.ts';

/** Parses the tenths of each blank of a fill-in question; undefined if the blanks share its score equally. */
export function blankScores(answerScore: string): number[] | undefined {
  const scores = answerScore.split('@@').map(Number);
  return answerScore !== '' && scores.every((score) => Number.isInteger(score) && score >= 0) ? scores : undefined;
}

interface QuestionToScore {
  id: number;
  ques_type: number;
  right_answer: string;
  ignore_case: number;
  score: number;
  answer_score: string;
  judge?: JudgeBlank | undefined;
}

/** Scores an answer, in tenths. */
export const scoreExamAnswer = (question: QuestionToScore, userAnswer: string): ScoredAnswer =>
  scoreAnswer({ ...question, blankScores: blankScores(question.answer_score) }, userAnswer);

/** True if every question was answered, and within the time limit if there is one. */
export const meetsFinishConditions = (
  exam: Pick<Exam, 'limit_time'>,
  answerTime: number,
  answers: readonly Pick<ScoredAnswer, 'status'>[],
): boolean =>
  (exam.limit_time === 0 || answerTime <= exam.limit_time) &&
  answers.every((answer) => answer.status !== answerStatus.unanswered);

export interface ExamSubmission {
  examId: number;
  studentId: number;
  /** A question without an entry counts as unanswered. `isSigned`: the student marked the question. */
  answers: { questionId: number; userAnswer: string; isSigned?: boolean }[];
  /** Time used, in seconds. */
  answerTime: number;
  /** Unix seconds. */
  submitTime: number;
}

/**
 * Stores a student's submission, which is then waiting for a grader (2) or graded (3); scores in tenths. 404: no such
 * exam or student. 409: not open, or no attempts left. 422: an answer to a question of another exam.
 */
export async function submitExam(
  db: Database,
  { examId, studentId, answers, answerTime, submitTime }: ExamSubmission,
): Promise<{ reportId: number; test_status: 2 | 3; user_score: number } | Refusal> {
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', examId).$call(forUpdate(db)).executeTakeFirst();
  const found = await db.selectFrom('student').select('school_id').where('id', '=', studentId).executeTakeFirst();
  if (!exam || !found) return missing(missingExam);
  const { earlier } = await db
    .selectFrom('exam_report')
    .select((eb) => eb.fn.countAll<number>().as('earlier'))
    .where('exam_id', '=', examId)
    .where('student_id', '=', studentId)
    .executeTakeFirstOrThrow();
  const refusal = refuseFor('conflict', examSubmitFault(exam, { at: submitTime, earlier }));
  if (refusal) return refusal;
  const questions = await examQuestions(db, examId);
  const scored = scoredAnswers(questions, answers);
  if (isRefusal(scored)) return scored;
  const student = { id: studentId, school_id: found.school_id };
  const [written] = await writeSubmissions(db, exam, [
    { student, scored, answerTime, submitTime, writtenAt: submitTime },
  ]);
  if (!written) throw new Error('a submission was not written');
  await countSubmissions(db, exam, [written]);
  const { id: reportId, report } = written;
  return { reportId, test_status: report.test_status, user_score: report.user_score };
}

interface ExamQuestion extends QuestionToScore {
  subjective: boolean;
}

/** Reads the questions that students answer (of a material question its parts), with graders' judgments of blanks. */
export async function examQuestions(db: Database, examId: number): Promise<ExamQuestion[]> {
  const rows = await scoredQuestions(db, { examId });
  const hasBlanks = rows.some(({ ques_type }) => ques_type === fillIn);
  const judges = judgmentsByQuestion(hasBlanks ? await heldJudgments(db, examId) : []);
  return rows
    .filter((question) => !isMaterial(question.ques_type))
    .map((question) => ({
      ...question,
      subjective: isSubjective(question.ques_type),
      judge: judges.get(question.id),
    }));
}

/** Waits for a grader who has locked the exam to judge a blank, so that submissions are scored by that judgment. */
async function heldJudgments(db: Database, examId: number) {
  if (!isSqlite(db)) await db.selectFrom('exam').select('id').where('id', '=', examId).forKeyShare().execute();
  return currentExamJudgments(db, { examId });
}

const scoredQuestions = prepared((db, { examId }: Placeholders<{ examId: number }>) =>
  db
    .selectFrom('exam_question')
    .select(['id', 'ques_type', 'right_answer', 'ignore_case', 'score', 'answer_score'])
    .where('exam_id', '=', examId),
);

type GivenAnswer = ExamSubmission['answers'][number];

/** Scores the answer to each question. 422: an answer to a question of another exam, or two answers to one. */
export function scoredAnswers(questions: readonly ExamQuestion[], answers: readonly GivenAnswer[]) {
  const given = new Map(answers.map((answer) => [answer.questionId, answer]));
  const known = new Set(questions.map((question) => question.id));
  if (given.size < answers.length || [...given.keys()].some((id) => !known.has(id))) {
    return invalid({ answers: [examMessages.wrongAnswers] });
  }
  return questions.map((question) => {
    const { userAnswer = '', isSigned = false } = given.get(question.id) ?? {};
    return {
      question,
      userAnswer,
      isSigned,
      subjective: question.subjective,
      ...scoreExamAnswer(question, userAnswer),
    };
  });
}

export type ScoredAnswers = Exclude<ReturnType<typeof scoredAnswers>, Refusal>;

export interface ScoredSubmission extends Pick<ExamSubmission, 'answerTime' | 'submitTime'> {
  /** Unix seconds at which the report is written; the attempt may have ended long before. */
  writtenAt: number;
  student: { id: number; school_id: number };
  scored: ScoredAnswers;
}

/** Columns of a new answer; the others keep their defaults until somebody grades it. */
const answerColumns = {
  report_id: 'integer',
  question_id: 'integer',
  school_id: 'integer',
  status: 'integer',
  user_answer: 'text',
  answer_key: 'text',
  score: 'integer',
  is_sign: 'integer',
} as const;

const addAnswers = prepared((db, { rows }: Placeholders<{ rows: string }>) =>
  db
    .insertInto('exam_answer')
    .columns(columnNames(answerColumns))
    .expression(selectJsonRows(db, answerColumns, rows)),
);

/**
 * Stores scored submissions of different students in one exam; returns them in the same order. The caller must hold the
 * lock of the exam and count them by `countSubmissions`.
 */
export async function writeSubmissions(db: Database, exam: Exam, submissions: readonly ScoredSubmission[]) {
  if (submissions.length === 0) return [];
  const reports = submissions.map(({ student, scored, answerTime, submitTime, writtenAt }) => {
    const { status, ...totals } = reportTotals(scored);
    const isGraded = status === reportStatus.graded;
    return {
      ...totals,
      exam_id: exam.id,
      student_id: student.id,
      school_id: student.school_id,
      test_status: isGraded ? testStatus.reviewed : testStatus.waiting,
      submit_time: submitTime,
      answer_time: answerTime,
      is_finish_conditions: meetsFinishConditions(exam, answerTime, scored) ? (1 as const) : (0 as const),
      graded_at: isGraded ? submitTime : null,
      graded_by: null,
      changed_at: writtenAt,
    };
  });
  const inserted = await db.insertInto('exam_report').values(reports).returning(['id', 'student_id']).execute();
  const idOf = new Map(inserted.map(({ id, student_id }) => [student_id, id]));
  const written = reports.map((report, place) => ({
    id: idOf.get(report.student_id) ?? 0,
    report,
    scored: submissions[place]?.scored ?? [],
  }));
  const answers = written.flatMap(({ id, report, scored }) =>
    scored.map(({ question, userAnswer, isSigned, status, score }) => ({
      report_id: id,
      question_id: question.id,
      school_id: report.school_id,
      status,
      user_answer: userAnswer,
      answer_key: sameAnswerKey(userAnswer, status),
      score,
      is_sign: isSigned ? 1 : 0,
    })),
  );
  if (answers.length > 0) await addAnswers(db, { rows: jsonRows(db, answerColumns, answers) });
  return written satisfies CountedSubmission[];
}
