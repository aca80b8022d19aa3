/** Reads the exams of a student: the list, and one exam with its paper and saved answers. */

import { type RawBuilder, sql } from 'kysely';
import type * as v from 'valibot';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Exam } from '#server/schema/database.ts';
import { changePage, firstPosition, isChangedAfter } from '#server/school/change-feed.ts';
import { type ExamDetail, type ExamRow, type listExams, noExamId } from './learner-calls.ts';
import { learnerPaper } from './learner-paper.ts';
import { handInOverdue } from './overdue-attempts.ts';
import { passFlag } from './pass-and-rank.ts';
import { canResume } from './reopening.ts';
import { attemptEnd, examPoints, examState, missingExam, showsRightAnswers, testStatus } from './rules.ts';
import { parseSetAsideAnswers, savedAnswersOf } from './saved-answers.ts';
import { isGivenTo } from './visible.ts';

const isGiven = isGivenTo(sql<number>`learner.id`);

/**
 * Past and present memberships of the student in classes that the exam is or was given to, without those whose end was
 * known before it was published.
 */
const classMembership = sql`from exam_class inner join class_student on class_student.class_id = exam_class.class_id
  where exam_class.exam_id = exam.id and class_student.student_id = learner.id
    and (class_student.left_at is null or class_student.left_at >= coalesce(exam.published_at, 0)
      or class_student.changed_at >= coalesce(exam.published_at, 0))`;

/**
 * Time at which the student's exam last changed. Submissions that are not effective count too, because they end the
 * attempt, and so does joining or leaving a class that the exam is given to, on whatever day.
 */
function lastChangeOf(db: Database, now: Operand<number>): RawBuilder<number> {
  const handedIn = db
    .selectFrom('exam_report')
    .select(({ fn }) => fn.max('exam_report.changed_at').as('changed_at'))
    .where('exam_report.exam_id', '=', sql.ref<number>('exam.id'))
    .where('exam_report.student_id', '=', sql.ref<number>('learner.id'));
  const latest = isSqlite(db)
    ? sql`max(joined_at, coalesce(left_at, 0), class_student.changed_at)`
    : sql`greatest(joined_at, left_at, class_student.changed_at)`;
  const membership = sql`(select max(${latest}) ${classMembership} and exam.by_class = 1 and joined_at <= ${now})`;
  return isSqlite(db)
    ? sql<number>`max(exam.changed_at, coalesce(exam.published_at, 0), coalesce(${handedIn}, 0), coalesce(doing.started_at, 0),
        coalesce(${membership}, 0))`
    : sql<number>`greatest(exam.changed_at, exam.published_at, ${handedIn}, doing.started_at, ${membership})`;
}

/**
 * Selects the exams of these students, each with the student's current attempt, effective submission and number of
 * submissions.
 */
function rowsOf(db: Database, uids: RawBuilder<number>, now: Operand<number>) {
  return db
    .selectFrom('student as learner')
    .innerJoin('exam', (join) =>
      join.on((eb) =>
        eb.or([
          eb('exam.school_id', '=', eb.ref('learner.school_id')),
          eb(
            'exam.id',
            'in',
            eb
              .selectFrom('exam_school')
              .select('exam_school.exam_id')
              .whereRef('exam_school.school_id', '=', 'learner.school_id'),
          ),
        ]),
      ),
    )
    .leftJoin('exam_attempt as doing', (join) =>
      join
        .onRef('doing.exam_id', '=', 'exam.id')
        .onRef('doing.student_id', '=', 'learner.id')
        .on('doing.handed_in_at', 'is', null),
    )
    .leftJoin('exam_report as mine', (join) =>
      join
        .onRef('mine.exam_id', '=', 'exam.id')
        .onRef('mine.student_id', '=', 'learner.id')
        .on('mine.is_effective', '=', 1)
        // The report of a resumed attempt does not count as submitted.
        .on(sql<boolean>`mine.id <> coalesce(doing.report_id, 0)`),
    )
    .leftJoin('exam_attempt as last', (join) =>
      join.on('last.id', '=', (eb) =>
        eb
          .selectFrom('exam_attempt as any')
          .select((max) => max.fn.max('any.id').as('id'))
          .whereRef('any.exam_id', '=', 'exam.id')
          .whereRef('any.student_id', '=', 'learner.id'),
      ),
    )
    .where('learner.id', 'in', uids)
    .selectAll('exam')
    .select([
      'last.by_server as last_by_server',
      'last.limit_at as last_limit_at',
      'last.report_id as last_report_id',
      'learner.id as uid',
      'doing.id as attempt_id',
      'doing.started_at',
      'doing.limit_at',
      'mine.id as report_id',
      'mine.test_status',
      'mine.submit_time',
      'mine.user_score',
      'mine.comment',
      lastChangeOf(db, now).as('moved_at'),
      sql<number>`case when ${isGiven} then 1 else 0 end`.as('is_given'),
    ])
    .select((eb) =>
      eb
        .selectFrom('exam_report')
        .select((count) => count.fn.countAll<number>().as('reports'))
        .whereRef('exam_report.exam_id', '=', 'exam.id')
        .whereRef('exam_report.student_id', '=', 'learner.id')
        .where(sql<boolean>`exam_report.id <> coalesce(doing.report_id, 0)`)
        .as('handed_in'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

const idOfExam = sql<number>`exam.id`;

/**
 * The list includes withdrawn exams, and exams of classes that the student has left or that lost the exam, so that
 * clients which follow it learn of the change; drafts that were never published are left out.
 */
const listedRows = prepared(
  (
    db,
    { uid, at, id, most, now }: Placeholders<Record<'uid' | 'at' | 'id' | 'most' | 'now', number>>,
    asked: 'first' | 'again',
  ) => {
    const rows = rowsOf(db, sql`(${uid})`, now);
    const seen =
      asked === 'again'
        ? rows
            .where((eb) => eb.or([eb('exam.status', '=', 1), eb('exam.changed_at', '>', 0)]))
            .where(sql<boolean>`(${isGiven} or exists (select 1 ${classMembership}))`)
        : rows.where('exam.status', '=', 1).where(isGiven);
    return isChangedAfter(seen, { changed: lastChangeOf(db, now), id: idOfExam }, { at, id }, most);
  },
);

export async function examList(
  db: Database,
  uid: number,
  following: Omit<v.InferOutput<NonNullable<typeof listExams.query>>, 'uid'> & { now: number },
) {
  const { since, limit, now } = following;
  const ask = () =>
    listedRows(db, { uid, ...(since ?? firstPosition), most: limit + 1, now }, since ? 'again' : 'first');
  const before = await ask();
  const over = before.filter((row) => isAttemptOver(row, now));
  for (const { id } of over) await handInOverdue(db, now, { examId: id, studentId: uid });
  const found = over.length > 0 ? await ask() : before;
  const position = ({ moved_at, id }: Row) => ({ at: Number(moved_at ?? 0), id });
  const { rows, ...page } = changePage(found, position, following);
  return { list: rows.map((row) => rowOf(row, now)), ...page };
}

function rowOf(row: Row, now: number): ExamRow {
  const state = examState(row, now);
  const end = attemptEnd({ limit_at: row.limit_at }, row);
  const isReviewed = row.test_status === testStatus.reviewed;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    limit_time: row.limit_time,
    score: examPoints(row.score),
    pass_score: examPoints(row.pass_score),
    ques_num: row.ques_num,
    state: state === 'draft' || row.is_given === 0 ? 'withdrawn' : state,
    start_at: row.start_at,
    end_at: row.end_at,
    attempts: row.attempts,
    handed_in: Number(row.handed_in ?? 0),
    attempt: row.started_at === null || isAttemptOver(row, now) ? null : { started_at: row.started_at, ends_at: end },
    may_go_on: state === 'running' && canResume(lastOf(row), row, now) ? 1 : 0,
    result:
      row.report_id === null || row.test_status === null
        ? null
        : {
            report_id: row.report_id,
            test_status: row.test_status,
            submit_time: row.submit_time ?? 0,
            user_score: isReviewed ? examPoints(row.user_score ?? 0) : null,
            is_pass: passFlag(reportOf(row), row),
          },
  };
}

const isAttemptOver = (row: Row, now: number): boolean => {
  const end = attemptEnd({ limit_at: row.limit_at }, row);
  return row.attempt_id !== null && end !== null && end <= now;
};

const lastOf = (row: Row) => ({
  by_server: row.last_by_server ?? 0,
  limit_at: row.last_limit_at,
  report_id: row.last_report_id,
});

const reportOf = (row: Row) => ({ test_status: row.test_status ?? 0, user_score: row.user_score ?? 0 });

const publishedRows = prepared((db, { uids, examId }: Placeholders<{ uids: string; examId: number }>) =>
  rowsOf(db, inJsonIds(db, uids), 0).where('exam.id', '=', examId).where('exam.status', '=', 1).where(isGiven),
);

/** Maximum number of students of one exam per SQL statement. */
const batchSize = 50;

/** Returns an exam for each student. Batched, because thousands open an exam in the same minute. */
export const examDetails = groupCommit(
  batchSize,
  async (db, looks: readonly { uid: number; now: number }[], examId): Promise<(ExamDetail | Refusal)[]> => {
    const uids = JSON.stringify([...new Set(looks.map(({ uid }) => uid))]);
    const before = await publishedRows(db, { uids, examId });
    const over = looks.filter(({ uid, now }) => before.some((row) => row.uid === uid && isAttemptOver(row, now)));
    for (const { uid, now } of over) await handInOverdue(db, now, { examId, studentId: uid });
    const rows = over.length > 0 ? await publishedRows(db, { uids, examId }) : before;
    const rowBy = new Map(rows.map((row) => [row.uid, row]));
    const saved = await savedAnswers(
      db,
      [...rowBy.values()].flatMap(({ attempt_id }) => attempt_id ?? []),
    );
    return Promise.all(
      looks.map(({ uid, now }) => {
        const row = rowBy.get(uid);
        return row ? examDetail(db, row, saved.get(row.attempt_id ?? noExamId) ?? [], now) : missing(missingExam);
      }),
    );
  },
);

async function examDetail(db: Database, row: Row, saved: ExamDetail['answers'], now: number): Promise<ExamDetail> {
  const shown = rowOf(row, now);
  const isTaking = shown.attempt !== null;
  const reviewed = row.test_status === testStatus.reviewed;
  const facts = { reviewed, earlier: shown.handed_in, taking: row.attempt_id !== null };
  const reportId = showsRightAnswers(row, facts, now) ? row.report_id : null;
  const exam: Exam = row;
  const { introduce, sections } = await learnerPaper(db, exam, reportId ?? undefined);
  return {
    ...shown,
    introduce,
    now,
    paper: isTaking || reportId !== null ? sections : null,
    answers: isTaking ? saved : [],
    comment: reviewed ? (row.comment ?? '') : '',
  };
}

/** Returns the saved answers of each attempt. */
async function savedAnswers(db: Database, attempts: readonly number[]) {
  const rows = await savedAnswersOf(db, attempts);
  const answers = rows.map(({ attempt_id, question_id, device: _, aside, ...answer }) => ({
    attempt_id,
    answer: { ques_id: question_id, ...answer, aside: parseSetAsideAnswers(aside) },
  }));
  return new Map(
    [...groupRows(answers, ({ attempt_id }) => attempt_id)].map(([id, of]) => [id, of.map(({ answer }) => answer)]),
  );
}
