/** Lists submitted and missing reports. */

import { missingClass } from '#server/classes/rules.ts';
import { visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import type { AbsentStudent, ArrangedSubmissionFilter, SubmissionFilter, SubmissionRow } from './contract.ts';
import { secondRange } from './filters.ts';
import { lastReminders, neverReminded } from './reminders.ts';
import { reportCounts, reportScope, reportsOf, type Scope } from './scope.ts';

type Filter = Partial<Omit<SubmissionFilter & ArrangedSubmissionFilter, 'page' | 'limit'>>;

/** Lists one page of expected students in the order of the roster, which is the same in every request. */
export async function submissionPage(
  db: Database,
  actor: Actor,
  request: Parameters<typeof reportScope>[2],
  { page, limit, ...filter }: Filter & { page: number; limit: number },
) {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { list: rows, ...range } = await pageInOrder(db, scope, filter, { page, limit });
  const reminders = await lastReminders(
    db,
    scope.homework.id,
    rows.map(({ id }) => id),
  );
  const list = rows.map(
    ({ submit_time, status, ...row }): SubmissionRow => ({
      ...row,
      status: status as 1 | 2 | 3,
      updated_at: submit_time ?? 0,
      ...(reminders.get(row.id) ?? neverReminded),
    }),
  );
  return { list, ...range };
}

async function pageInOrder(db: Database, scope: Scope, filter: Filter, paging: Paging) {
  const { from, to } = secondRange(filter.start_at, filter.end_at);
  let reports = withNames(reportsOf(db, scope));
  if (filter.nickname) reports = reports.where(nameContains('student.nickname', filter.nickname));
  if (filter.mobile) reports = reports.where(containsText('student.mobile', filter.mobile));
  if (filter.class_name) reports = reports.where(nameContains('class.name', filter.class_name));
  if (filter.status !== undefined) reports = reports.where('report.status', '=', filter.status);
  if (from !== undefined) reports = reports.where('report.submit_time', '>=', from);
  if (to !== undefined) reports = reports.where('report.submit_time', '<=', to);
  const isWhole = Object.values(filter).every((value) => value === undefined);
  return pageOf(isWhole ? (await reportCounts(db, scope)).expected : reports, paging, reportsInOrder(reports));
}

const withNames = (reports: ReturnType<typeof reportsOf>) =>
  reports.innerJoin('student', 'student.id', 'report.student_id').innerJoin('class', 'class.id', 'report.class_id');

const reportsInOrder = (reports: ReturnType<typeof withNames>) =>
  reports
    .select([
      'report.id as report_id',
      'report.student_id as id',
      'report.status',
      'report.submit_time',
      'student.nickname',
      'student.mobile',
      'class.name as class_name',
    ])
    .orderBy('report.student_id');

/** Number of homework in a row that a student must miss to be listed. */
const missedInARow = 3;

/**
 * Lists current members who submitted none of the class's last three ended homework. Empty if the class has fewer than
 * three. A student who was not expected to submit one of them has not missed it.
 */
export async function absentStudentRows(
  db: Database,
  actor: Actor,
  classId: number,
  now: number,
): Promise<AbsentStudent[] | Refusal> {
  let published = db
    .selectFrom('homework_class')
    .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
    .where('homework_class.class_id', '=', classId)
    .where('homework_class.published_at', 'is not', null)
    .where('homework.id', 'in', visibleHomeworkIds(db, actor));
  if (actor.identity === 'assist') {
    published = published.where('homework_class.class_id', 'in', classesAssistedBy(db, actor));
  }
  const anything = await published.select('homework.id').limit(1).executeTakeFirst();
  if (!anything) return missing(missingClass);
  const last = await published
    .select(['homework.id', 'homework.name'])
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '<=', now)
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(missedInARow)
    .execute();
  if (last.length < missedInARow) return [];
  const students = await db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .innerJoin('report', 'report.student_id', 'student.id')
    .select(['student.id', 'student.nickname', 'student.mobile'])
    .where('class_student.class_id', '=', classId)
    .where('class_student.left_at', 'is', null)
    .where(
      'report.homework_id',
      'in',
      last.map(({ id }) => id),
    )
    .where('report.status', '=', 1)
    .groupBy(['student.id', 'student.nickname', 'student.mobile'])
    .having((eb) => eb.fn.countAll(), '=', missedInARow)
    .orderBy('student.id')
    .execute();
  return students.map((student) => ({ ...student, homework: last }));
}
