/** Reads, ends and reopens enrolments for an import. */
import { leftReasonLimit } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { inIds, valuesTable } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import {
  type Fields,
  type FieldValue,
  groupRows,
  historyOf,
  type ImportContext,
  membershipEnds,
  membershipId,
} from '#server/school/importer.ts';
import { leaveClasses, restoreStays } from './stays.ts';

export const enrolmentRecord = 'class_student';

export const stayKey = ({ class_id, student_id }: Fields | Pick<StoredStay, 'class_id' | 'student_id'>) =>
  membershipId(class_id, student_id);

export const stayKeys = (records: readonly { record: string }[]) => records.map(({ record: key }) => key);

export const classAndStudentIds = (records: readonly string[]) =>
  records.map(membershipEnds).map(([class_id, student_id]) => ({ class_id, student_id }));

export interface StoredStay {
  id: number;
  class_id: number;
  student_id: number;
  joined_at: number;
  left_at: number | null;
  left_reason: string;
  leaving_at: number | null;
  leaving_reason: string;
}

/** True if the student left on the planned last day, not earlier by hand. */
export const hasLeftOnTheirDay = ({ left_at, leaving_at }: Pick<StoredStay, 'left_at' | 'leaving_at'>): boolean =>
  left_at !== null && left_at === leaving_at;

/** Selects the memberships of imported records, ended ones included. */
export const membershipsOf = (db: Database, records: readonly string[]) =>
  db
    .selectFrom('class_student')
    .innerJoin(valuesTable(db, { class_id: 'integer', student_id: 'integer' }, classAndStudentIds(records)), (on) =>
      on
        .onRef('given.class_id', '=', 'class_student.class_id')
        .onRef('given.student_id', '=', 'class_student.student_id'),
    );

export const staysOf = (db: Database, records: readonly string[]): Promise<StoredStay[]> =>
  forUpdate(db)(
    membershipsOf(db, records)
      .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'class_student.joined_at'])
      .select(['class_student.left_at', 'class_student.left_reason'])
      .select(['class_student.leaving_at', 'class_student.leaving_reason'])
      .orderBy('class_student.id'),
    ['class_student'],
  ).execute();

/** The reason for leaving, trimmed and cut to the stored length. */
export const reasonOf = (reason: FieldValue | undefined): string =>
  [...String(reason ?? '').trim()].slice(0, leftReasonLimit).join('');

export async function endStaysOf(
  context: ImportContext,
  stays: readonly StoredStay[],
  { reason, at = context.now }: { reason: string; at?: number },
): Promise<void> {
  const { db } = context;
  await leaveClasses(
    db,
    stays.map(({ id }) => id),
    { leftAt: at, reason, now: context.now },
  );
  await historyOf(context, enrolmentRecord)('leave', stays, ({ id, class_id, student_id }) => ({
    recordId: id,
    before: { class_id, student_id, left_at: null },
    after: { class_id, student_id, left_at: at, left_reason: reason },
  }));
}

/**
 * Returns the enrolments that have records besides homework, such as groups, contracts or attendance; undo must not
 * delete them.
 */
export async function staysInUse(
  db: Database,
  stays: readonly StoredStay[],
  signed: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const rows = stays.map(({ class_id, student_id }) => ({ class_id, student_id }));
  const marks = await db
    .selectFrom('attendance')
    .innerJoin(valuesTable(db, { class_id: 'integer', student_id: 'integer' }, rows), (on) =>
      on.onRef('given.class_id', '=', 'attendance.class_id').onRef('given.student_id', '=', 'attendance.student_id'),
    )
    .select(['attendance.class_id', 'attendance.student_id'])
    .execute();
  // A contract that the import itself signed is undone with it, so it does not count.
  const unsigned = stays.filter((stay) => !signed.has(stayKey(stay))).map(({ id }) => id);
  const contracts = await db
    .selectFrom('class_contract')
    .select('class_student_id')
    .where('class_student_id', 'in', inIds(db, unsigned))
    .execute();
  const ids = stays.map(({ id }) => id);
  const grouped = await db
    .selectFrom('class_group_student')
    .select('class_student_id')
    .where('class_student_id', 'in', inIds(db, ids))
    .execute();
  const held = new Set([...contracts, ...grouped].map(({ class_student_id }) => class_student_id));
  return new Map([
    ...marks.map((mark): [string, string] => [stayKey(mark), '已有考勤']),
    ...stays.filter(({ id }) => held.has(id)).map((stay): [string, string] => [stayKey(stay), '已有合同或分组']),
  ]);
}

export const classNamesOf = async (db: Database, ids: readonly number[]): Promise<Map<number, string>> => {
  const rows = await db.selectFrom('class').select(['id', 'name']).where('id', 'in', inIds(db, ids)).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

interface UnfinishedWork {
  homeworkIds: number[];
  leave: number;
}

/** Counts the unfinished work of each enrolment; the result lacks enrolments without any. */
export async function unfinishedStays(
  { db, now }: Pick<ImportContext, 'db' | 'now'>,
  stays: readonly StoredStay[],
): Promise<Map<number, UnfinishedWork>> {
  const rows = stays.map(({ id, class_id, student_id }) => ({ id, class_id, student_id }));
  const ends = () => valuesTable(db, { id: 'integer', class_id: 'integer', student_id: 'integer' }, rows);
  const homework = await db
    .selectFrom('report')
    .innerJoin(ends(), (on) =>
      on.onRef('given.class_id', '=', 'report.class_id').onRef('given.student_id', '=', 'report.student_id'),
    )
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select(['given.id', 'report.homework_id'])
    .where('report.status', '=', 1)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now)
    .execute();
  const leave = await db
    .selectFrom('attendance')
    .innerJoin(ends(), (on) =>
      on.onRef('given.class_id', '=', 'attendance.class_id').onRef('given.student_id', '=', 'attendance.student_id'),
    )
    .select('given.id')
    .where('attendance.op_status', '=', 1)
    .execute();
  const left = new Map<number, UnfinishedWork>();
  const its = (id: number) => getOrAdd(left, id, () => ({ homeworkIds: [], leave: 0 }));
  for (const { id, homework_id } of homework) its(Number(id)).homeworkIds.push(homework_id);
  for (const { id } of leave) its(Number(id)).leave += 1;
  return left;
}

/**
 * For students whose account ends: ends their current enrolments in all classes, or counts what they leave unfinished.
 */
export function presentStaysOf(context: ImportContext, studentIds: readonly number[]) {
  const { db } = context;
  const present = () =>
    db
      .selectFrom('class_student')
      .select(['id', 'class_id', 'student_id', 'joined_at', 'left_at', 'left_reason'])
      .select(['leaving_at', 'leaving_reason'])
      .where('student_id', 'in', inIds(db, studentIds))
      .where('left_at', 'is', null)
      .orderBy('id')
      .execute();
  return {
    /** Ends the enrolments and returns them by student. */
    async end(reason: string): Promise<Map<number, StoredStay[]>> {
      const stays = await present();
      await endStaysOf(context, stays, { reason });
      return groupRows(stays, ({ student_id }) => student_id);
    },
    /** Counts for each student: classes, homework not handed in, and waiting leave requests. */
    async unfinished(): Promise<Map<number, { classes: number; homework: number; leave: number }>> {
      const stays = await present();
      const left = await unfinishedStays(context, stays);
      return new Map(
        [...groupRows(stays, ({ student_id }) => student_id)].map(([student, its]) => [
          student,
          {
            classes: its.length,
            homework: new Set(its.flatMap(({ id }) => left.get(id)?.homeworkIds ?? [])).size,
            leave: its.reduce((sum, { id }) => sum + (left.get(id)?.leave ?? 0), 0),
          },
        ]),
      );
    },
  };
}

/** Undo: reopens the enrolments that ended because the student's account ended. */
export async function reopenStays(context: ImportContext, ids: readonly number[]): Promise<void> {
  const { db, now } = context;
  const stays = await db
    .selectFrom('class_student')
    .select(['id', 'class_id', 'student_id', 'joined_at', 'left_at', 'left_reason'])
    .select(['leaving_at', 'leaving_reason'])
    .where('id', 'in', inIds(db, ids))
    .where('left_at', 'is not', null)
    .execute();
  await restoreStays(
    db,
    stays.map((stay) => ({ ...stay, left_at: null, left_reason: '' })),
    now,
  );
  await historyOf(context, enrolmentRecord)('undo', stays, ({ id, class_id, student_id, joined_at, left_at }) => ({
    recordId: id,
    before: { class_id, student_id, left_at },
    after: { class_id, student_id, joined_at, left_at: null },
  }));
}

/** Counts the current members of each class. */
export async function presentCounts(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('class_student')
    .select((eb) => ['class_id', eb.fn.countAll<number>().as('count')])
    .where('class_id', 'in', inIds(db, ids))
    .where('left_at', 'is', null)
    .groupBy('class_id')
    .execute();
  return new Map(rows.map(({ class_id, count }) => [class_id, Number(count)]));
}
