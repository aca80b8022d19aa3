/** Compares what students were acknowledged with the database: nothing lost or doubled. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { findMissingFiles } from '#server/platform/files/missing-files.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Acknowledged } from './student.ts';

/** Maximum number of ids in one statement. */
const chunk = 500;

/** State before the run. */
export interface Before {
  reportId: number;
  attemptId: number;
}

export async function stateBefore(db: Database): Promise<Before> {
  const report = await db
    .selectFrom('exam_report')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  const attempt = await db
    .selectFrom('exam_attempt')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return { reportId: Number(report?.id ?? 0), attemptId: Number(attempt?.id ?? 0) };
}

/** Returns one line per difference. Checks pictures too if `storage` is given. */
export async function differences(
  db: Database,
  acknowledged: readonly Acknowledged[],
  { before, storage }: { before: Before; storage?: Storage | undefined },
): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, compare] of [
    ['exam', compareExam],
    ['homework', compareHomework],
  ] as const) {
    const ofKind = acknowledged.filter((one) => one.kind === kind);
    for (let from = 0; from < ofKind.length; from += chunk) {
      found.push(...(await compare(db, ofKind.slice(from, from + chunk), before)));
    }
  }
  if (storage) {
    const lost = await findMissingFiles(
      storage,
      acknowledged.flatMap(({ pictures }) => pictures),
    );
    found.push(...lost.map((address) => `picture ${address}: lost`));
  }
  const exams = [...new Set(acknowledged.filter(({ kind }) => kind === 'exam').map(({ recordId }) => recordId))];
  for (const id of exams) found.push(...(await miscountedExam(db, id)));
  const homeworks = [
    ...new Set(acknowledged.filter(({ kind }) => kind === 'homework').map(({ recordId }) => recordId)),
  ];
  for (const id of homeworks) found.push(...(await miscountedHomework(db, id)));
  return found;
}

const byStudent = <Row extends { student_id: number }>(rows: readonly Row[]) =>
  groupRows(rows, (row) => row.student_id);

async function compareExam(db: Database, some: readonly Acknowledged[], before: Before): Promise<string[]> {
  const examId = some[0]?.recordId ?? 0;
  const uids = some.map(({ uid }) => uid);
  const reports = byStudent(
    await db
      .selectFrom('exam_report')
      .select(['id', 'student_id', 'submit_time'])
      .where('exam_id', '=', examId)
      .where('student_id', 'in', uids)
      .where('id', '>', before.reportId)
      .execute(),
  );
  const attempts = byStudent(
    await db
      .selectFrom('exam_attempt')
      .select(['id', 'student_id', 'saves', 'report_id'])
      .where('exam_id', '=', examId)
      .where('student_id', 'in', uids)
      .where('id', '>', before.attemptId)
      .execute(),
  );
  const kept = byStudent(
    await db
      .selectFrom('exam_answer')
      .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
      .select(['exam_report.student_id', 'exam_answer.question_id', 'exam_answer.user_answer'])
      .where('exam_report.exam_id', '=', examId)
      .where('exam_report.student_id', 'in', uids)
      .where('exam_report.id', '>', before.reportId)
      .execute(),
  );
  const saved = byStudent(
    await db
      .selectFrom('exam_attempt_answer')
      .innerJoin('exam_attempt', 'exam_attempt.id', 'exam_attempt_answer.attempt_id')
      .select(['exam_attempt.student_id', 'question_id', 'user_answer'])
      .where('exam_attempt.exam_id', '=', examId)
      .where('exam_attempt.student_id', 'in', uids)
      .where('exam_attempt.handed_in_at', 'is', null)
      .execute(),
  );
  return some.flatMap((one) => {
    const who = `student ${one.uid}, exam ${examId}`;
    const own = reports.get(one.uid) ?? [];
    const [attempt, ...others] = attempts.get(one.uid) ?? [];
    const found: string[] = [];
    if (own.length > 1) found.push(`${who}: handed in ${own.length} times`);
    if (others.length > 0) found.push(`${who}: begun ${others.length + 1} times`);
    if (one.started && !attempt) found.push(`${who}: the start is lost`);
    if (attempt && attempt.saves < one.saves) found.push(`${who}: ${attempt.saves} of ${one.saves} saves are there`);
    const answers = own.length > 0 ? kept.get(one.uid) : saved.get(one.uid);
    return [...found, ...differencesOfReport(who, one, own), ...differencesOfAnswers(who, one, answers ?? [])];
  });
}

async function compareHomework(db: Database, some: readonly Acknowledged[]): Promise<string[]> {
  const homeworkId = some[0]?.recordId ?? 0;
  const uids = some.map(({ uid }) => uid);
  const reports = byStudent(
    await db
      .selectFrom('report')
      .select(['id', 'student_id', 'submit_time'])
      .where('homework_id', '=', homeworkId)
      .where('student_id', 'in', uids)
      .where('status', '>', 1)
      .execute(),
  );
  const answers = byStudent(
    await db
      .selectFrom('answer')
      .innerJoin('report', 'report.id', 'answer.report_id')
      .select(['report.student_id', 'answer.question_id', 'answer.user_answer'])
      .where('report.homework_id', '=', homeworkId)
      .where('report.student_id', 'in', uids)
      .execute(),
  );
  return some.flatMap((one) => {
    const who = `student ${one.uid}, homework ${homeworkId}`;
    const own = (reports.get(one.uid) ?? []).map((row) => ({ ...row, submit_time: row.submit_time ?? 0 }));
    return [
      ...differencesOfReport(who, one, own),
      ...(own.length > 0 ? differencesOfAnswers(who, one, answers.get(one.uid) ?? []) : []),
    ];
  });
}

function differencesOfReport(
  who: string,
  { report }: Acknowledged,
  own: readonly { id: number; submit_time: number }[],
): string[] {
  if (!report) return [];
  const stored = own.find(({ id }) => id === report.id);
  if (!stored) return [`${who}: handed in as report ${report.id}, which is lost`];
  return stored.submit_time === report.submitTime ? [] : [`${who}: handed in at another time than it was told`];
}

function differencesOfAnswers(
  who: string,
  { answers }: Acknowledged,
  stored: readonly { question_id: number; user_answer: string }[],
): string[] {
  const known = new Map(stored.map(({ question_id, user_answer }) => [question_id, user_answer]));
  return [...answers].flatMap(([question, answer]) => {
    if (known.get(question) === answer) return [];
    return [
      `${who}, question ${question}: ${known.has(question) ? 'another answer than the last' : 'the answer is lost'}`,
    ];
  });
}

/** Lists exams and questions whose sums differ from their reports. */
async function miscountedExam(db: Database, examId: number): Promise<string[]> {
  const { rows } = await sql<{ what: string; kept: number; counted: number }>`
    select 'reports' as what,
      (select coalesce(sum(submitted_count), 0) from exam_figures where exam_id = ${examId}) as kept,
      (select count(*) from exam_report where exam_id = ${examId}) as counted
    union all select 'students',
      (select coalesce(sum(student_count), 0) from exam_figures where exam_id = ${examId}),
      (select count(distinct student_id) from exam_report where exam_id = ${examId})
    union all select 'effective reports',
      (select count(*) from exam_report where exam_id = ${examId} and is_effective = 1),
      (select count(distinct student_id) from exam_report where exam_id = ${examId})
    union all select 'graded reports',
      (select coalesce(sum(graded_count), 0) from exam_figures where exam_id = ${examId}),
      (select count(*) from exam_report where exam_id = ${examId} and test_status = 3)
    union all select 'answers of graded papers',
      (select coalesce(sum(answered_count + unanswered_count), 0) from exam_question_figures
        where question_id in (select id from exam_question where exam_id = ${examId})),
      (select count(*) from exam_answer
        where report_id in (select id from exam_report where exam_id = ${examId} and test_status = 3))
    union all select 'scores of graded papers',
      (select coalesce(sum(score_sum), 0) from exam_question_figures
        where question_id in (select id from exam_question where exam_id = ${examId})),
      (select coalesce(sum(score), 0) from exam_answer
        where report_id in (select id from exam_report where exam_id = ${examId} and test_status = 3))`.execute(db);
  return rows
    .filter(({ kept, counted }) => Number(kept) !== Number(counted))
    .map(({ what, kept, counted }) => `exam ${examId}: ${kept} ${what} in its sums, ${counted} counted`);
}

async function miscountedHomework(db: Database, homeworkId: number): Promise<string[]> {
  const { rows } = await sql<{ what: string; kept: number; counted: number }>`
    select 'reports handed in' as what, submitted_homework_count as kept,
      (select count(*) from report where homework_id = ${homeworkId} and status > 1) as counted
    from homework where id = ${homeworkId}
    union all select 'reports that wait', not_revised_homework_count,
      (select count(*) from report where homework_id = ${homeworkId} and status = 2)
    from homework where id = ${homeworkId}
    union all select 'reports handed in of its classes', coalesce(sum(submitted_homework_count), 0),
      (select count(*) from report where homework_id = ${homeworkId} and status > 1)
    from homework_class where homework_id = ${homeworkId}`.execute(db);
  return rows
    .filter(({ kept, counted }) => Number(kept) !== Number(counted))
    .map(({ what, kept, counted }) => `homework ${homeworkId}: ${kept} ${what} in its counters, ${counted} counted`);
}
