import { type ExpressionBuilder, type Nullable, sql } from 'kysely';
import { missingClass } from '#server/classes/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { timeOf } from '#server/school/calendar.ts';
import { staffOnDuty } from '#server/school/staff-duties.ts';
import { emptyRosterCounts, rosterCounts } from '#server/sessions/roster.ts';
import { sessionStatus } from '#server/sessions/rules.ts';
import type { TeamClassFilter, TeamClassRow } from './contract.ts';
import { signTypeNames } from './rules.ts';
import { isTeamClassOf, teamClassesOf } from './visible.ts';

export const teamClassNotFound = () => missing(missingClass);

/** Lists group classes: running first, then coming, then ended ones. `now`: unix seconds. */
export async function teamClassPage(db: Database, actor: Actor, filter: TeamClassFilter, now: number) {
  const { status } = filter;
  let matching = joinClasses(db, actor);
  if (filter.class_name !== undefined) matching = matching.where(nameContains('class.name', filter.class_name));
  if (filter.org_id !== undefined) matching = matching.where('class.school_id', '=', filter.org_id);
  if (filter.grade_id !== undefined) matching = matching.where('class.grade_id', '=', filter.grade_id);
  if (filter.classify_id !== undefined) matching = matching.where('class.classify_id', '=', filter.classify_id);
  if (filter.sub_id !== undefined) matching = matching.where('team_class.subject_id', '=', filter.sub_id);
  if (filter.room_id !== undefined) matching = matching.where('team_class.room_id', '=', filter.room_id);
  if (filter.teaching_mode !== undefined) {
    matching = matching.where('team_class.teaching_mode', '=', filter.teaching_mode);
  }
  if (status !== undefined) matching = matching.where((eb) => hasStatus(eb, status, now));
  const { list: rows, ...range } = await pageOf(
    matching,
    filter,
    selectClasses(matching)
      .orderBy((eb) =>
        eb.case().when('team_class.ended_at', '<=', now).then(3).when(startTime, '>', now).then(2).else(1).end(),
      )
      .orderBy(startTime, 'desc')
      .orderBy('class.id', 'desc'),
  );
  const assistants = await assistantNames(
    db,
    rows.map(({ id }) => id),
  );
  return { list: rows.map((row) => teamClassRow(row, assistants, now)), ...range };
}

export function schoolsOf(db: Database) {
  return db.selectFrom('school').select(['id', 'org_name']).orderBy('id').execute();
}

/** Returns one group class. 404: no such class. */
export async function teamClassOf(
  db: Database,
  actor: Actor,
  { id, now }: { id: number; now: number },
): Promise<TeamClassRow | Refusal> {
  const row = await selectClasses(joinClasses(db, actor)).where('class.id', '=', id).executeTakeFirst();
  return row ? teamClassRow(row, await assistantNames(db, [id]), now) : teamClassNotFound();
}

interface Times {
  start_time: number;
  ended_at: number | null;
}

/** Derives the status from the clock: 1 not begun, 2 running, 3 ended. */
function teamStatus({ start_time, ended_at }: Times, now: number): TeamClassRow['status'] {
  if (ended_at !== null && ended_at <= now) return 3;
  return now < start_time ? 1 : 2;
}

/** SQL condition for the status that `teamStatus` computes. */
function hasStatus(
  eb: ExpressionBuilder<Tables & { team_class: Nullable<Tables['team_class']> }, 'team_class' | 'class'>,
  status: TeamClassRow['status'],
  now: number,
) {
  const ended = eb('team_class.ended_at', '<=', now);
  if (status === 3) return ended;
  const going = eb.or([eb('team_class.ended_at', 'is', null), eb('team_class.ended_at', '>', now)]);
  return eb.and([going, eb(startTime, status === 1 ? '>' : '<=', now)]);
}

/** A class without a `team_class` row counts as begun when it was created. */
const startTime = sql<number>`coalesce(team_class.start_time, class.created_at)`;

const joinClasses = (db: Database, actor: Viewer) =>
  teamClassesOf(db, actor)
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('grade', 'grade.id', 'class.grade_id')
    .leftJoin('classify', 'classify.id', 'class.classify_id')
    .leftJoin('subject', 'subject.id', 'team_class.subject_id')
    .leftJoin('staff', 'staff.id', 'team_class.lecturer_id')
    .leftJoin('room', 'room.id', 'team_class.room_id');

const selectClasses = (query: ReturnType<typeof joinClasses>) =>
  query.select((eb) => [
    'class.id',
    'class.name as class_name',
    'class.created_at',
    'school.org_name',
    'grade.name as grade_name',
    'classify.name as classify_name',
    'subject.name as sub_name',
    'staff.real_name as teacher_name',
    'room.name as room_name',
    'team_class.teaching_mode',
    'team_class.sign_type',
    'team_class.schedule',
    'team_class.remarks',
    'team_class.ended_at',
    startTime.as('start_time'),
    eb
      .selectFrom('class_student')
      .select((inner) => inner.fn.countAll<number>().as('count'))
      .whereRef('class_student.class_id', '=', 'class.id')
      .where('class_student.left_at', 'is', null)
      .as('in_number'),
  ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectClasses>['executeTakeFirstOrThrow']>>;

function teamClassRow(row: Row, assistants: ReadonlyMap<number, string[]>, now: number): TeamClassRow {
  const { sign_type, ended_at, ...shown } = row;
  return {
    ...shown,
    in_number: row.in_number ?? 0,
    grade_name: row.grade_name ?? '',
    classify_name: row.classify_name ?? '',
    sub_name: row.sub_name ?? '',
    teacher_name: row.teacher_name ?? '',
    assistant_name: (assistants.get(row.id) ?? []).join('、'),
    room_name: row.room_name ?? '',
    status: teamStatus({ start_time: row.start_time, ended_at }, now),
    teaching_mode: row.teaching_mode ?? 1,
    schedule: row.schedule ?? '',
    remarks: row.remarks ?? '',
    sign_type_name: sign_type === null ? '' : signTypeNames[sign_type],
  };
}

async function assistantNames(db: Database, classIds: number[]): Promise<Map<number, string[]>> {
  const rows = await staffOnDuty(db, 'assistant', classIds).execute();
  const names = new Map<number, string[]>();
  for (const { class_id, real_name } of rows) names.set(class_id, [...(names.get(class_id) ?? []), real_name]);
  return names;
}

interface ClassPaging extends Paging {
  id: number;
}

/** Lists the current students with their contracts, in order of joining. */
export async function teamStudentPage(db: Database, actor: Actor, { id, page, limit }: ClassPaging) {
  if (!(await isTeamClassOf(db, actor, id))) return teamClassNotFound();
  const students = db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where('class_student.class_id', '=', id)
    .where('class_student.left_at', 'is', null);
  const { list: rows, ...range } = await pageOf(
    students,
    { page, limit },
    students
      .innerJoin('school', 'school.id', 'student.school_id')
      .leftJoin('class_contract', 'class_contract.class_student_id', 'class_student.id')
      .select([
        'student.id as clue_id',
        'student.nickname as clue_name',
        'student.mobile',
        'class_student.joined_at as created_at',
        'school.org_name',
        'class_contract.first_time',
        'class_contract.contracts_number',
        'class_contract.sign_type',
        'class_contract.periods_price',
        'class_contract.remaining_lessons',
        'class_contract.lesson_minutes',
      ])
      .orderBy('class_student.id'),
  );
  const list = rows.map(({ sign_type, remaining_lessons, lesson_minutes, ...row }) => ({
    ...row,
    first_time: row.first_time ?? 0,
    contracts_number: row.contracts_number ?? '',
    sign_type_name: sign_type === null ? '' : signTypeNames[sign_type],
    time: remaining_lessons ?? 0,
    periods_price: (row.periods_price ?? 0) / 100,
    class_time_hour: Math.round(((lesson_minutes ?? 0) / 60) * 100) / 100,
  }));
  return { list, ...range };
}

/** Lists the lessons of a group class, earliest first. */
export async function teamSessionPage(
  db: Database,
  actor: Actor,
  { id, page, limit }: ClassPaging,
  { now, timezone }: { now: number; timezone: string },
) {
  if (!(await isTeamClassOf(db, actor, id))) return teamClassNotFound();
  const sessions = db.selectFrom('class_session').where('class_id', '=', id);
  const [{ list: rows, ...range }, counts] = await Promise.all([
    pageOf(
      sessions,
      { page, limit },
      sessions
        .select(['id', 'start_time', 'end_time', 'cancelled_at', 'chapter_title', 'teaching_mode'])
        .orderBy('start_time')
        .orderBy('id'),
    ),
    rosterCounts(db, { classId: id }, now),
  ]);
  const list = rows.map(({ start_time, end_time, cancelled_at, ...row }) => ({
    ...row,
    arrange_time: start_time,
    time_name: `${timeOf(start_time, timezone)}-${timeOf(end_time, timezone)}`,
    status: sessionStatus({ start_time, end_time, cancelled_at }, now),
    ...(counts.get(row.id) ?? emptyRosterCounts),
  }));
  return { list, ...range };
}
