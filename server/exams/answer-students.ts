/** Lists the submissions that a figure of the question statistics counts. */
import { type AnswerStatus, answerStatus } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { answerableQuestions, examSections } from './questions.ts';
import { examPoints, testStatus } from './rules.ts';
import type { ExamAnswerGroup, ExamAnswerRow } from './statistics.contract.ts';
import { findVisibleExam, visibleSchoolId } from './visible.ts';

const statusOf: Record<ExamAnswerGroup, AnswerStatus> = {
  part: answerStatus.reviewed,
  wrong: answerStatus.wrong,
  unanswered: answerStatus.unanswered,
  waiting: answerStatus.waiting,
};

export interface AnswerQuery {
  examId: number;
  questionId: number;
  group: ExamAnswerGroup;
}

export interface AnswerList {
  exam: Exam;
  /** Number of the question, such as `3` or `3.1`. */
  number: string;
  total: number;
  /** Returns the ids of all reports in order. */
  ids: () => Promise<number[]>;
  /** Returns the rows of these reports in the same order. */
  rows: (reportIds: readonly number[]) => Promise<ExamAnswerRow[]>;
  pageIds: (range: RowRange) => Promise<number[]>;
}

/** Prepares the list for a page or an export. 404: no such exam, or no question of it with an answer. */
export async function answerList(
  db: Database,
  actor: Actor,
  { examId, questionId, group }: AnswerQuery,
): Promise<AnswerList | Refusal> {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  const question = answerableQuestions(await examSections(db, exam.id)).find(({ id }) => id === questionId);
  if (!question) return missing(missingQuestion);
  const school = visibleSchoolId(exam, actor);
  const all = db
    .selectFrom('exam_answer')
    .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
    .where('exam_answer.question_id', '=', questionId)
    .where('exam_answer.status', '=', statusOf[group])
    // Like `countAnswers`: an answer counts as waiting in an ungraded report, and by its result in a graded one.
    .$if(group !== 'waiting', (answers) => answers.where('exam_report.test_status', '=', testStatus.reviewed));
  const counted = school === undefined ? all : all.where('exam_report.school_id', '=', school);
  const ordered = counted
    .select('exam_report.id')
    .orderBy('exam_report.school_id')
    .orderBy('exam_report.student_id')
    .orderBy('exam_report.submit_time')
    .orderBy('exam_report.id');
  return {
    exam,
    number: question.number,
    total: await countOf(counted),
    ids: async () => (await ordered.execute()).map(({ id }) => id),
    pageIds: async ({ limit, offset }) => (await ordered.limit(limit).offset(offset).execute()).map(({ id }) => id),
    rows: (reportIds) => answerRows(db, questionId, reportIds),
  };
}

async function answerRows(db: Database, questionId: number, reportIds: readonly number[]): Promise<ExamAnswerRow[]> {
  if (reportIds.length === 0) return [];
  const found = await db
    .selectFrom('exam_answer')
    .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .innerJoin('school', 'school.id', 'exam_report.school_id')
    .select(['exam_answer.report_id', 'exam_report.student_id', 'student.nickname', 'student.mobile'])
    .select(['school.org_name as school_name', 'exam_report.submit_time', 'exam_answer.score'])
    .where('exam_answer.question_id', '=', questionId)
    .where('exam_answer.report_id', 'in', reportIds)
    .execute();
  const byId = new Map(found.map((row) => [row.report_id, row]));
  return reportIds.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ ...row, score: row.score === null ? null : examPoints(row.score) }] : [];
  });
}

/** Returns one page of the list. 404: no such exam, or no question of it with an answer. */
export async function answerStudentPage(
  db: Database,
  actor: Actor,
  asked: AnswerQuery,
  paging: Paging,
): Promise<{ number: string; page: Page<ExamAnswerRow> } | Refusal> {
  const list = await answerList(db, actor, asked);
  if (isRefusal(list)) return list;
  const page = await pageOf(list.total, paging, async (range) => list.rows(await list.pageIds(range)));
  return { number: list.number, page };
}
