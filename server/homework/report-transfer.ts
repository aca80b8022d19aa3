/** Moves ungraded reports when their student changes to another class that has the same homework. */
import { reportStatus } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { recountHomework } from './assign.ts';

/** A report that moves from class `from` to class `to`. */
export interface MovingReport {
  id: number;
  homework_id: number;
  student_id: number;
  from: number;
  to: number;
}

interface Author {
  actor: { id: number } | null;
  now: number;
}

/**
 * Selects ungraded reports of these students that could move: their homework is not recalled and was published to
 * another class too, which is joined as `other`. Graded reports stay in the class where they were graded.
 */
const openReports = (db: Database, studentIds: readonly number[]) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('homework_class as other', (on) =>
      on
        .onRef('other.homework_id', '=', 'report.homework_id')
        .onRef('other.class_id', '!=', 'report.class_id')
        .on('other.published_at', 'is not', null),
    )
    .where('report.student_id', 'in', inIds(db, studentIds))
    .where('report.status', '!=', reportStatus.graded)
    .where('homework.status', '=', 1);

const movingColumns = [
  'report.id',
  'report.homework_id',
  'report.student_id',
  'report.class_id as from',
  'other.class_id as to',
] as const;

/** Selects the ungraded reports that these students would take along if they changed to the class. */
export const reportsToMove = (db: Database, classId: number, studentIds: readonly number[]) =>
  openReports(db, studentIds).where('other.class_id', '=', classId);

/**
 * Like `reportsToMove`, but locks the reports until the transaction ends. Lock order: reports before homework, as in
 * submitting and grading.
 */
export const lockReportsToMove = (
  db: Database,
  classId: number,
  studentIds: readonly number[],
): Promise<MovingReport[]> =>
  forUpdate(db)(reportsToMove(db, classId, studentIds).select(movingColumns).orderBy('report.id'), [
    'report',
  ]).execute();

/**
 * Locks ungraded reports of students who have left the report's class and are in another class with the same homework.
 * If there are several such classes, `to` is the class that the student joined last.
 */
async function lockReportsLeftBehind(db: Database, studentIds: readonly number[]): Promise<MovingReport[]> {
  const rows = await forUpdate(db)(
    openReports(db, studentIds)
      .innerJoin('class_student as stay', (on) =>
        on
          .onRef('stay.class_id', '=', 'other.class_id')
          .onRef('stay.student_id', '=', 'report.student_id')
          .on('stay.left_at', 'is', null),
      )
      .select(movingColumns)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('class_student as left_class')
              .select('left_class.id')
              .whereRef('left_class.class_id', '=', 'report.class_id')
              .whereRef('left_class.student_id', '=', 'report.student_id')
              .where('left_class.left_at', 'is', null),
          ),
        ),
      )
      .orderBy('report.id')
      .orderBy('stay.joined_at', 'desc')
      .orderBy('stay.id', 'desc'),
    ['report'],
  ).execute();
  return [...groupRows(rows, ({ id }) => id).values()].flatMap(([latest]) => (latest ? [latest] : []));
}

/**
 * Moves reports with their answers and drafts, and recomputes the counters of their homework. Writes a history row for
 * each report.
 */
export async function moveReports(
  db: Database,
  { actor, now }: Author,
  moving: readonly MovingReport[],
): Promise<void> {
  if (moving.length === 0) return;
  const classes = await db
    .selectFrom('class')
    .select(['id', 'school_id'])
    .where('id', 'in', inIds(db, [...new Set(moving.map(({ to }) => to))]))
    .execute();
  for (const { id: classId, school_id } of classes) {
    const ids = moving.filter(({ to }) => to === classId).map(({ id }) => id);
    await db
      .updateTable('report')
      .set({ class_id: classId, school_id, changed_at: nextChangedAt(now) })
      .where('id', 'in', inIds(db, ids))
      .execute();
    await db
      .updateTable('answer')
      .set({ school_id })
      .where('report_id', 'in', inIds(db, ids))
      .where('school_id', '!=', school_id)
      .execute();
    await db
      .updateTable('answer_draft')
      .set({ school_id })
      .where('report_id', 'in', inIds(db, ids))
      .where('school_id', '!=', school_id)
      .execute();
  }
  await recordHistoryOfMany(db, {
    actor,
    now,
    record: 'report',
    action: 'move',
    changes: moving.map(({ id, from, to }) => ({ recordId: id, before: { class_id: from }, after: { class_id: to } })),
  });
  for (const homeworkId of [...new Set(moving.map(({ homework_id }) => homework_id))].sort((a, b) => a - b))
    await recountHomework(db, homeworkId);
}

/**
 * Moves the ungraded reports of students who changed class to their present class. Only reports whose old class (`end`
 * is `from`) or new class (`end` is `to`) is in `stays` are moved. Returns the moved reports.
 */
export async function moveReportsWithStudents(
  db: Database,
  author: Author,
  stays: readonly { class_id: number; student_id: number }[],
  end: 'from' | 'to',
): Promise<MovingReport[]> {
  const keys = new Set(stays.map(({ class_id, student_id }) => `${class_id} ${student_id}`));
  const leftBehind = await lockReportsLeftBehind(
    db,
    stays.map(({ student_id }) => student_id),
  );
  const moving = leftBehind.filter((report) => keys.has(`${report[end]} ${report.student_id}`));
  await moveReports(db, author, moving);
  return moving;
}

/**
 * Reverts `moveReports`, also for reports that were graded meanwhile. A report that has moved on to a third class stays
 * there.
 */
export async function revertReportMoves(db: Database, author: Author, moved: readonly MovingReport[]): Promise<void> {
  if (moved.length === 0) return;
  const current = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(['id', 'class_id'])
      .where(
        'id',
        'in',
        inIds(
          db,
          moved.map(({ id }) => id),
        ),
      )
      .orderBy('id'),
  ).execute();
  const classOf = new Map(current.map(({ id, class_id }) => [id, class_id]));
  const reverted = moved.filter(({ id, to }) => classOf.get(id) === to);
  await moveReports(
    db,
    author,
    reverted.map(({ from, to, ...report }) => ({ ...report, from: to, to: from })),
  );
}
