/**
 * Keeps stored sums of an exam up to date, in the same transaction that submits, marks or finishes a report. Every
 * change of reports goes through this file. Ranks and passes are derived in pass-and-rank.ts.
 */
import { type RawBuilder, sql } from 'kysely';
import { type AnswerStatus, answerStatus } from '#server/grading/rules.ts';
import type { ScoredAnswer } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Exam } from '#server/schema/database.ts';
import { testStatus } from './rules.ts';
import { wrongChoices } from './wrong-choices.ts';

/** Maximum number of rows per SQL statement. */
export const maxRowsPerStatement = 1_000;

interface CountedReport {
  exam_id: number;
  student_id: number;
  school_id: number;
  user_score: number;
}

interface CountedAnswer extends Pick<ScoredAnswer, 'status' | 'score'> {
  question: { id: number; ques_type: number; right_answer: string };
  userAnswer: string;
}

/** A new submission together with its answers. */
export interface CountedSubmission {
  report: CountedReport & { test_status: number; answer_time: number };
  scored: readonly CountedAnswer[];
}

/**
 * Adds new reports of different students to the sums of their exam. A report without answers that wait for a grader
 * also counts as graded.
 */
export async function countSubmissions(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  submissions: readonly CountedSubmission[],
): Promise<void> {
  if (submissions.length === 0) return;
  // Done before the sums, against a deadlock: a grader of an earlier submission locks that report first and then waits
  // for the sum of a question.
  await chooseEffective(db, exam.id, studentsOf(submissions));
  await countReports(db, exam.id, submissions);
  await countResults(db, exam, submissions, 1);
}

/** Moves the sums of an exam from the previous to the stored state of reports and answers. */
export async function recountSubmissions(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  changes: readonly { before: CountedSubmission; after: CountedSubmission }[],
): Promise<void> {
  if (changes.length === 0) return;
  const after = changes.map((change) => change.after);
  await chooseEffective(db, exam.id, studentsOf(after));
  const times = new Sums(['exam_id', 'school_id'], ['answer_time_sum']);
  for (const { before, after } of changes) {
    times.add([exam.id, after.report.school_id], [after.report.answer_time - before.report.answer_time]);
  }
  await db
    .insertInto('exam_figures')
    .values(times.list())
    .onConflict((conflict) => conflict.columns(times.key).doUpdateSet(addInserted('exam_figures', times.sums)))
    .execute();
  await countResults(
    db,
    exam,
    changes.map((change) => change.before),
    -1,
  );
  await countResults(db, exam, after, 1);
}

const studentsOf = (submissions: readonly CountedSubmission[]) => submissions.map(({ report }) => report.student_id);

/** Adds answers and graded reports to the sums; with `by` -1 subtracts them. */
async function countResults(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  submissions: readonly CountedSubmission[],
  by: 1 | -1,
): Promise<void> {
  await countWrongOptions(db, submissions, by);
  await countAnswers(db, submissions, by);
  const graded = submissions.filter(({ report }) => report.test_status === testStatus.reviewed);
  if (graded.length > 0)
    await countScores(
      db,
      exam,
      graded.map(({ report }) => report),
      by,
    );
}

async function countReports(db: Database, examId: number, submissions: readonly CountedSubmission[]): Promise<void> {
  const reports = await db
    .selectFrom('exam_report')
    .select((eb) => ['student_id', 'school_id', eb.fn.countAll<number>().as('reports')])
    .where('exam_id', '=', examId)
    .where('student_id', 'in', studentsOf(submissions))
    .groupBy(['student_id', 'school_id'])
    .execute();
  const reportsOf = new Map(reports.map((row) => [`${row.student_id} ${row.school_id}`, Number(row.reports)]));
  const rows = new Sums(['exam_id', 'school_id'], ['student_count', 'submitted_count', 'answer_time_sum']);
  for (const { report } of submissions) {
    const { student_id, school_id, answer_time } = report;
    // The report is stored already, so a student with one report is new in the sums.
    const isFirst = reportsOf.get(`${student_id} ${school_id}`) === 1;
    rows.add([examId, school_id], [isFirst ? 1 : 0, 1, answer_time]);
  }
  await db
    .insertInto('exam_figures')
    .values(rows.list())
    .onConflict((conflict) => conflict.columns(rows.key).doUpdateSet(addInserted('exam_figures', rows.sums)))
    .execute();
}

/**
 * Adds answers to the sums of their questions: every answer of a graded report, but only the waiting answers of other
 * reports. With `by` -1 subtracts them.
 */
async function countAnswers(
  db: Database,
  submissions: readonly {
    report: { school_id: number; test_status: number };
    scored: readonly (Pick<ScoredAnswer, 'status' | 'score'> & { question: { id: number } })[];
  }[],
  by: 1 | -1,
): Promise<void> {
  const rows = new Sums(
    ['question_id', 'school_id'],
    ['answered_count', 'unanswered_count', 'right_count', 'wrong_count', 'waiting_count', 'score_sum'],
  );
  for (const { report, scored } of submissions) {
    const isGraded = report.test_status === testStatus.reviewed;
    for (const { question, status, score } of scored) {
      const key = [question.id, report.school_id];
      if (!isGraded) {
        rows.add(key, [0, 0, 0, 0, status === answerStatus.waiting ? by : 0, 0]);
        continue;
      }
      const isUnanswered = status === answerStatus.unanswered;
      const isRight = status === answerStatus.right;
      const isWrong = status === answerStatus.wrong;
      const added = [!isUnanswered, isUnanswered, isRight, isWrong].map((is) => (is ? by : 0));
      rows.add(key, [...added, 0, by * (score ?? 0)]);
    }
  }
  const sums = rows.list();
  if (sums.length === 0) return;
  await db
    .insertInto('exam_question_figures')
    .values(sums)
    .onConflict((conflict) => conflict.columns(rows.key).doUpdateSet(addInserted('exam_question_figures', rows.sums)))
    .execute();
}

/** Objective answers cannot change after submission, so wrong options are counted at once. */
async function countWrongOptions(db: Database, submissions: readonly CountedSubmission[], by: 1 | -1): Promise<void> {
  const wrong = new Sums(['question_id', 'school_id', 'option_id'], ['chosen_count']);
  for (const { report, scored } of submissions) {
    for (const { question, userAnswer } of scored) {
      for (const option of wrongChoices(question, userAnswer)) wrong.add([question.id, report.school_id, option], [by]);
    }
  }
  const chosen = wrong.list();
  for (let from = 0; from < chosen.length; from += maxRowsPerStatement) {
    await db
      .insertInto('exam_wrong_option')
      .values(chosen.slice(from, from + maxRowsPerStatement))
      .onConflict((conflict) => conflict.columns(wrong.key).doUpdateSet(addInserted('exam_wrong_option', wrong.sums)))
      .execute();
  }
  if (by === -1) {
    const questions = [...new Set(chosen.map(({ question_id }) => question_id))];
    await db
      .deleteFrom('exam_wrong_option')
      .where('question_id', 'in', [0, ...questions])
      .where('chosen_count', '<=', 0)
      .execute();
  }
}

/**
 * Collects increments for a table of sums. Each row is written once, and rows in the order of their key, so that
 * concurrent writers do not deadlock.
 */
class Sums<Key extends string, Sum extends string> {
  readonly key: readonly Key[];
  readonly sums: readonly Sum[];
  private readonly rows = new Map<string, { of: readonly (number | string)[]; values: number[] }>();

  constructor(key: readonly Key[], sums: readonly Sum[]) {
    this.key = key;
    this.sums = sums;
  }

  add(of: readonly (number | string)[], values: readonly number[]): void {
    const name = of.join(' ');
    const row = this.rows.get(name) ?? { of, values: this.sums.map(() => 0) };
    this.rows.set(name, { of, values: row.values.map((value, place) => value + (values[place] ?? 0)) });
  }

  /** The result has the type of the table's rows, because the table's schema says which key columns are text. */
  list<Row = Record<Key, never> & Record<Sum, number>>(): Row[] {
    const byKey = [...this.rows.values()].toSorted((one, other) => {
      const place = one.of.findIndex((value, at) => value !== other.of[at]);
      return (one.of[place] ?? 0) < (other.of[place] ?? 0) ? -1 : 1;
    });
    return byKey.map(({ of, values }) =>
      Object.fromEntries([
        ...this.key.map((name, place) => [name, of[place]]),
        ...this.sums.map((name, place) => [name, values[place]]),
      ]),
    ) as Row[];
  }
}

/** Changes the counts when an answer gets a mark or loses it, because then it no longer waits, or waits again. */
export async function adjustMarkCounts(
  db: Database,
  {
    questionId,
    schoolId,
    before,
    after,
  }: {
    questionId: number;
    schoolId: number;
    before: Pick<ScoredAnswer, 'status'>;
    after: Pick<ScoredAnswer, 'status'>;
  },
): Promise<void> {
  const moved = Number(after.status === answerStatus.waiting) - Number(before.status === answerStatus.waiting);
  if (moved === 0) return;
  await db
    .updateTable('exam_question_figures')
    .set({ waiting_count: sql<number>`waiting_count + ${moved}` })
    .where('question_id', '=', questionId)
    .where('school_id', '=', schoolId)
    .execute();
}

/**
 * Counts a report when its grading is finished; `test_status` and scores must be stored already. From then on the
 * report has a rank, passes or fails, and its answers count in the statistics of their questions, so the caller must
 * not change it any more.
 */
export async function countGraded(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  report: CountedReport & { id: number },
): Promise<void> {
  await countScores(db, exam, [report], 1);
  const answers = await db
    .selectFrom('exam_answer')
    .select(['question_id', 'status', 'score'])
    .where('report_id', '=', report.id)
    .execute();
  const scored = answers.map(({ question_id, status, score }) => ({
    question: { id: question_id },
    status: status as AnswerStatus,
    score,
  }));
  await countAnswers(db, [{ report: { ...report, test_status: testStatus.reviewed }, scored }], 1);
  await chooseEffective(db, exam.id, [report.student_id]);
}

async function countScores(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  reports: readonly CountedReport[],
  by: 1 | -1,
): Promise<void> {
  const bySchool = new Sums(['exam_id', 'school_id'], ['graded_count', 'passed_count', 'score_sum']);
  const byScore = new Sums(['exam_id', 'school_id', 'user_score'], ['report_count']);
  for (const { school_id, user_score } of reports) {
    bySchool.add([exam.id, school_id], [by, user_score >= exam.pass_score ? by : 0, by * user_score]);
    byScore.add([exam.id, school_id, user_score], [by]);
  }
  for (const row of bySchool.list<Record<'school_id' | 'graded_count' | 'passed_count' | 'score_sum', number>>()) {
    await db
      .updateTable('exam_figures')
      .set({
        graded_count: sql<number>`graded_count + ${row.graded_count}`,
        passed_count: sql<number>`passed_count + ${row.passed_count}`,
        score_sum: sql<number>`score_sum + ${row.score_sum}`,
      })
      .where('exam_id', '=', exam.id)
      .where('school_id', '=', row.school_id)
      .execute();
  }
  await db
    .insertInto('exam_score')
    .values(byScore.list())
    .onConflict((conflict) => conflict.columns(byScore.key).doUpdateSet(addInserted('exam_score', byScore.sums)))
    .execute();
  if (by === -1) {
    await db.deleteFrom('exam_score').where('exam_id', '=', exam.id).where('report_count', '<=', 0).execute();
  }
}

/**
 * Chooses each student's effective submission: of the graded ones that with the highest score (the later of equal
 * ones), or else the last one.
 */
async function chooseEffective(db: Database, examId: number, students: readonly number[]): Promise<void> {
  const reports = await db
    .selectFrom('exam_report')
    .select(['id', 'student_id', 'is_effective'])
    .where('exam_id', '=', examId)
    .where('student_id', 'in', students)
    .orderBy('test_status', 'desc')
    .orderBy(sql`case when test_status = 3 then user_score else 0 end`, 'desc')
    .orderBy('submit_time', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const chosen = new Set<number>();
  const changed: Record<0 | 1, number[]> = { 0: [], 1: [] };
  for (const report of reports) {
    const is_effective = chosen.has(report.student_id) ? 0 : 1;
    chosen.add(report.student_id);
    if (report.is_effective !== is_effective) changed[is_effective].push(report.id);
  }
  for (const is_effective of [1, 0] as const) {
    const ids = changed[is_effective];
    if (ids.length > 0) await db.updateTable('exam_report').set({ is_effective }).where('id', 'in', ids).execute();
  }
}

/** Upsert clause that adds the inserted values to the values of an existing row. */
function addInserted<Column extends string>(
  table: string,
  columns: readonly Column[],
): Record<Column, RawBuilder<number>> {
  const sums = columns.map((column) => [
    column,
    sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums) as Record<Column, RawBuilder<number>>;
}
