/**
 * Stored sums of an exam, updated in the transaction that submits, marks or finishes a report; ranks and passes derive
 * from them. Every change of reports goes through here.
 */

import { type RawBuilder, sql } from 'kysely';
import { type AnswerStatus, answerStatus, isMaterial, isSubjective } from '#server/grading/rules.ts';
import type { ScoredAnswer } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Exam } from '#server/schema/database.ts';
import { testStatus } from './rules.ts';

/** True if a graded report has at least the pass score. */
export const isPassed = (report: { test_status: number; user_score: number }, exam: Pick<Exam, 'pass_score'>) =>
  report.test_status === testStatus.reviewed && report.user_score >= exam.pass_score;

/** Ranked reports: each student's effective submission, if graded. */
export const rankedReports = (db: Database, examId: number) =>
  db
    .selectFrom('exam_report')
    .where('exam_report.exam_id', '=', examId)
    .where(sql<boolean>`exam_report.is_effective = 1 and exam_report.test_status = 3`);

/** Competition ranks (1, 1, 3), highest score first: the rank of each score, and the number of ranked students. */
export async function examRanks(
  db: Database,
  examId: number,
  scores: readonly number[],
): Promise<{ rankOf: (score: number) => number; ranked: number }> {
  const least = scores.length > 0 ? Math.min(...scores) : 0;
  const [higher, all] = await Promise.all([
    rankedReports(db, examId)
      .select((eb) => ['user_score', eb.fn.countAll<number>().as('students')])
      .where('user_score', '>', least)
      .groupBy('user_score')
      .execute(),
    rankedReports(db, examId)
      .select((eb) => eb.fn.countAll<number>().as('students'))
      .executeTakeFirstOrThrow(),
  ]);
  const rankOf = (score: number) =>
    1 + higher.reduce((before, row) => before + (row.user_score > score ? Number(row.students) : 0), 0);
  return { rankOf, ranked: Number(all.students) };
}

/** False for an exam without scores, which has no ranks and no passes. */
export const isScored = ({ score }: Pick<Exam, 'score'>): boolean => score > 0;

/** 1 passed, 2 failed, 0 ungraded or without scores. */
export function passOf(
  report: { test_status: number; user_score: number },
  exam: Pick<Exam, 'score' | 'pass_score'>,
): 0 | 1 | 2 {
  if (report.test_status === testStatus.waiting || !isScored(exam)) return 0;
  return isPassed(report, exam) ? 1 : 2;
}

/** 1 passed, 0 failed, null ungraded or without scores. */
export const passFlag = (...asked: Parameters<typeof passOf>): 0 | 1 | null =>
  (({ 0: null, 1: 1, 2: 0 }) as const)[passOf(...asked)];

/** Maximum rows per statement. */
const rowsOfStatement = 1_000;

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

/** A new submission with its answers. */
export interface CountedSubmission {
  report: CountedReport & { test_status: number; answer_time: number };
  scored: readonly CountedAnswer[];
}

/**
 * Adds new reports of different students to the sums of their exam. A report without waiting answers counts as graded,
 * too.
 */
export async function countSubmissions(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  submissions: readonly CountedSubmission[],
): Promise<void> {
  if (submissions.length === 0) return;
  // Before the sums, to avoid a deadlock: a grader of an earlier submission locks that report, then waits for a
  // question's sum.
  await chooseEffective(db, exam.id, studentsOf(submissions));
  await countReports(db, exam.id, submissions);
  await countResults(db, exam, submissions, 1);
}

/** Moves the sums of an exam from the old to the stored state of reports and answers. */
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
    .onConflict((conflict) => conflict.columns(times.key).doUpdateSet(raised('exam_figures', times.sums)))
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

/** Adds answers and graded reports to the sums; `by` -1 subtracts them. */
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
    // The student's first report is stored already, so it counts as one.
    const isFirst = reportsOf.get(`${student_id} ${school_id}`) === 1;
    rows.add([examId, school_id], [isFirst ? 1 : 0, 1, answer_time]);
  }
  await db
    .insertInto('exam_figures')
    .values(rows.list())
    .onConflict((conflict) => conflict.columns(rows.key).doUpdateSet(raised('exam_figures', rows.sums)))
    .execute();
}

/** Counts every answer of a graded report, and only the waiting answers of others. `by` -1 subtracts them. */
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
    .onConflict((conflict) => conflict.columns(rows.key).doUpdateSet(raised('exam_question_figures', rows.sums)))
    .execute();
}

/** Objective answers are final at submission, so wrong options are counted at once. */
async function countWrongOptions(db: Database, submissions: readonly CountedSubmission[], by: 1 | -1): Promise<void> {
  const wrong = new Sums(['question_id', 'school_id', 'option_id'], ['chosen_count']);
  for (const { report, scored } of submissions) {
    for (const { question, userAnswer } of scored) {
      for (const option of wrongChoices(question, userAnswer)) wrong.add([question.id, report.school_id, option], [by]);
    }
  }
  const chosen = wrong.list();
  for (let from = 0; from < chosen.length; from += rowsOfStatement) {
    await db
      .insertInto('exam_wrong_option')
      .values(chosen.slice(from, from + rowsOfStatement))
      .onConflict((conflict) => conflict.columns(wrong.key).doUpdateSet(raised('exam_wrong_option', wrong.sums)))
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
 * Collects increments of a table of sums. Rows are written once and in key order, so that concurrent writers do not
 * deadlock.
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

  /** Typed as the table's rows: its schema knows which columns are text. */
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

/** Counts a mark given or undone, which changes whether the answer waits. */
export async function countMark(
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
 * Counts a report whose grading just finished; `test_status` and scores must be stored. From then on it has a rank,
 * passes or fails, and its answers count in question statistics. The caller must not change it afterwards.
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
    .onConflict((conflict) => conflict.columns(byScore.key).doUpdateSet(raised('exam_score', byScore.sums)))
    .execute();
  if (by === -1) {
    await db.deleteFrom('exam_score').where('exam_id', '=', exam.id).where('report_count', '<=', 0).execute();
  }
}

/**
 * Chooses each student's effective submission: the graded one with the highest score, the later on a tie; the last one
 * while none is graded.
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

/** Returns the distinct wrong options of a choice answer; wrong pairs of a matching question. */
export function wrongChoices(question: { ques_type: number; right_answer: string }, userAnswer: string): string[] {
  if (question.ques_type > 4) return [];
  const right = new Set(choices(question.right_answer));
  return [...new Set(choices(userAnswer))].filter((choice) => !right.has(choice));
}

/** Parses option ids or pairs; other text was never an option. */
const choices = (answer: string) =>
  answer
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((choice) => /^\d{1,9}(-\d{1,9})?$/.test(choice));

/** Upsert clause that adds the inserted values to an existing row. */
function raised<Column extends string>(table: string, columns: readonly Column[]): Record<Column, RawBuilder<number>> {
  const sums = columns.map((column) => [
    column,
    sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums) as Record<Column, RawBuilder<number>>;
}

/** Recomputes all sums of an exam and the effective submissions, after bulk loading. */
export async function recountExam(db: Database, examId: number): Promise<void> {
  const questions = await db
    .selectFrom('exam_question')
    .select(['id', 'ques_type', 'right_answer'])
    .where('exam_id', '=', examId)
    .execute();
  const questionOf = new Map(questions.map((question) => [question.id, question]));
  const ids = db.selectFrom('exam_question').select('id').where('exam_id', '=', examId);
  await db.deleteFrom('exam_figures').where('exam_id', '=', examId).execute();
  await db.deleteFrom('exam_score').where('exam_id', '=', examId).execute();
  await db.deleteFrom('exam_question_figures').where('question_id', 'in', ids).execute();
  await db.deleteFrom('exam_wrong_option').where('question_id', 'in', ids).execute();
  await sql`
    update exam_report set is_effective = case when not exists (
      select 1 from exam_report other
      where other.exam_id = exam_report.exam_id and other.student_id = exam_report.student_id
        and (other.test_status > exam_report.test_status or (other.test_status = exam_report.test_status and (
          (other.test_status = 3 and other.user_score > exam_report.user_score)
          or ((other.test_status = 2 or other.user_score = exam_report.user_score) and (
            other.submit_time > exam_report.submit_time
            or (other.submit_time = exam_report.submit_time and other.id > exam_report.id))))))
    ) then 1 else 0 end
    where exam_id = ${examId}`.execute(db);
  await sql`
    insert into exam_figures (exam_id, school_id, student_count, submitted_count, graded_count, passed_count,
      score_sum, answer_time_sum)
    select exam.id, exam_report.school_id, count(distinct student_id), count(*),
      sum(case when test_status = 3 then 1 else 0 end),
      sum(case when test_status = 3 and user_score >= exam.pass_score then 1 else 0 end),
      sum(case when test_status = 3 then user_score else 0 end), sum(answer_time)
    from exam_report join exam on exam.id = exam_report.exam_id
    where exam.id = ${examId} group by exam.id, exam_report.school_id`.execute(db);
  await sql`
    insert into exam_score (exam_id, school_id, user_score, report_count)
    select exam_id, school_id, user_score, count(*) from exam_report
    where exam_id = ${examId} and test_status = 3 group by exam_id, school_id, user_score`.execute(db);
  await sql`
    insert into exam_question_figures (question_id, school_id, answered_count, unanswered_count, right_count,
      wrong_count, waiting_count, score_sum)
    select question_id, exam_report.school_id,
      sum(case when test_status = 3 and status <> 3 then 1 else 0 end),
      sum(case when test_status = 3 and status = 3 then 1 else 0 end),
      sum(case when test_status = 3 and status = 1 then 1 else 0 end),
      sum(case when test_status = 3 and status = 2 then 1 else 0 end),
      sum(case when status = 4 then 1 else 0 end),
      sum(case when test_status = 3 then coalesce(score, 0) else 0 end)
    from exam_report join exam_answer on exam_answer.report_id = exam_report.id
    where exam_id = ${examId} group by question_id, exam_report.school_id`.execute(db);
  const given = await db
    .selectFrom('exam_report')
    .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
    .select((eb) => ['question_id', 'exam_report.school_id', 'user_answer', eb.fn.countAll<number>().as('times')])
    .where('exam_id', '=', examId)
    .where('status', '=', answerStatus.wrong)
    .groupBy(['question_id', 'exam_report.school_id', 'user_answer'])
    .execute();
  const chosen = new Map<string, { question_id: number; school_id: number; option_id: string; chosen_count: number }>();
  for (const { question_id, school_id, user_answer, times } of given) {
    const question = questionOf.get(question_id);
    if (!question || isMaterial(question.ques_type) || isSubjective(question.ques_type)) continue;
    for (const option_id of wrongChoices(question, user_answer)) {
      const key = `${question_id} ${school_id} ${option_id}`;
      const row = chosen.get(key) ?? { question_id, school_id, option_id, chosen_count: 0 };
      row.chosen_count += Number(times);
      chosen.set(key, row);
    }
  }
  const rows = [...chosen.values()];
  for (let from = 0; from < rows.length; from += rowsOfStatement) {
    await db
      .insertInto('exam_wrong_option')
      .values(rows.slice(from, from + rowsOfStatement))
      .execute();
  }
}
