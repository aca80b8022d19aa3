/**
 * Finds time clashes: periods and lessons that need the same lecturer, room, class or students at the same time, and
 * class meetings of the same lecturer. The user is warned and may go on.
 */
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { classTypes } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { schoolsOf } from './admin-schools.ts';
import { dayOf, timeOf } from './calendar.ts';
import { periodsTaughtBy, sessionsTaughtBy } from './staff-duties.ts';

/** A planned time, in unix seconds. */
export interface Slot {
  start: number;
  end: number;
  lecturerId?: number | null | undefined;
  roomId?: number | null | undefined;
}

/** The planned times: one time or a series. All named participants attend each of the times. */
export interface PlannedSlots {
  slots: readonly Slot[];
  /** Course whose classes and students attend. Its own other periods can clash too. */
  courseId?: number | undefined;
  /** Classes that attend with all their students. */
  classIds?: readonly number[] | undefined;
  studentIds?: readonly number[] | undefined;
  /** Periods and lessons that are moved by this plan, and so cannot clash with it. */
  except?: { periodIds?: readonly number[]; sessionIds?: readonly number[] };
}

export interface Clash {
  kind: 'period' | 'session' | 'meeting';
  id: number;
  /** Names of the people, classes and rooms that both need. */
  who: string[];
  /** True if the other lesson belongs to a school that the user does not manage; then its details are empty. */
  isElsewhere: boolean;
  /** Course, and class of a lesson or meeting; '' if there is none, or if `isElsewhere`. */
  course: string;
  title: string;
  class_name: string;
  start: number;
  end: number;
}

/** Maximum length of a lesson in seconds. It lets an index on the start time find lessons that are still going on. */
export const longestLesson = 24 * 60 * 60;

/** Number of times per query. */
const slotsAtOnce = 100;

/**
 * Returns the clashes in the order of their start. One index lookup per lecturer, room and course, however large the
 * school is.
 */
export async function clashesOf(
  db: Database,
  actor: Pick<Actor, 'id' | 'everySchool'>,
  plan: PlannedSlots,
): Promise<Clash[]> {
  if (plan.slots.length === 0) return [];
  const present = await participantsOf(db, plan);
  const found = new Map<string, FoundClash>();
  for (let at = 0; at < plan.slots.length; at += slotsAtOnce) {
    const slots = plan.slots.slice(at, at + slotsAtOnce);
    const [periods, sessions, meetings] = await Promise.all([
      overlappingPeriods(db, { ...plan, slots }, present),
      overlappingSessions(db, { ...plan, slots }, present),
      overlappingMeetings(db, slots),
    ]);
    for (const one of [...periods, ...sessions, ...meetings]) found.set(`${one.kind} ${one.id}`, one);
  }
  const schools = new Set((await schoolsOf(db, actor).execute()).map(({ id }) => id));
  return [...found.values()]
    .map((one) => clashOf(one, { plan, present, schools }))
    .sort((a, b) => a.start - b.start || a.kind.localeCompare(b.kind) || a.id - b.id);
}

/** Maximum number of clashes that the warning lists one by one. */
const maxShownClashes = 5;

/** Returns the warning that the user must confirm; undefined if nothing clashes. */
export function clashesText(clashes: readonly Clash[], timezone: string): string | undefined {
  if (clashes.length === 0) return undefined;
  const parts = clashes.slice(0, maxShownClashes).map((clash) => clashText(clash, timezone));
  const more = clashes.length > maxShownClashes ? [`还有${clashes.length - maxShownClashes}处`] : [];
  return `与${clashes.length}处安排时间冲突：${[...parts, ...more].join('；')}`;
}

export function clashText(clash: Clash, timezone: string): string {
  const { kind, who, start, end, class_name, course, title, isElsewhere } = clash;
  const when = `${dayOf(start, timezone)} ${timeOf(start, timezone)}至${timeOf(end, timezone)}`;
  const parts = kind === 'meeting' ? [class_name, '班会', title] : [class_name, course, title];
  const elsewhere = kind === 'meeting' ? '其他学校的班会' : '其他学校的课';
  const what = isElsewhere ? elsewhere : parts.filter(Boolean).join(' ');
  return `${who.join('、')} ${when} ${what}`;
}

// ---- Participants ----------------------------------------------------------------------------------

interface Participants {
  /** Names of the attending classes by id. */
  classes: Map<number, string>;
  /** Other classes with students of these classes: how many, and the name of one of them. */
  shared: Map<number, { students: number; name: string; class_name: string }>;
  /** For each course, the classes that attend it. */
  takenBy: Map<number, number[]>;
}

async function participantsOf(
  db: Database,
  { courseId, classIds = [], studentIds = [] }: PlannedSlots,
): Promise<Participants> {
  const named = await db
    .selectFrom('class')
    .select(['class.id', 'class.name'])
    .where((eb) =>
      eb.or([
        eb('class.id', 'in', [0, ...classIds]),
        eb('class.id', 'in', classesTaking(db, courseId ?? 0).select('class_course.class_id')),
      ]),
    )
    .execute();
  const classes = new Map(named.map(({ id, name }) => [id, name]));
  const shared = new Map(
    (await findSharedStudents(db, [...classes.keys()], studentIds)).map((row) => [row.class_id, row]),
  );
  const taken = await db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select(['class_course.class_id', 'class_course.course_id'])
    .where('class.class_type', '=', classTypes.stateSchool)
    .where('class.id', 'in', [0, ...classes.keys(), ...shared.keys()])
    .execute();
  const takenBy = new Map<number, number[]>(courseId === undefined ? [] : [[courseId, []]]);
  for (const { class_id, course_id } of taken) takenBy.set(course_id, [...(takenBy.get(course_id) ?? []), class_id]);
  return { classes, shared, takenBy };
}

/** Selects the classes that attend a course's periods. Group classes and one-to-one classes have lessons instead. */
const classesTaking = (db: Database, courseId: number) =>
  db
    .selectFrom('class_course')
    .innerJoin('class as taking', 'taking.id', 'class_course.class_id')
    .where('class_course.course_id', '=', courseId)
    .where('taking.class_type', '=', classTypes.stateSchool);

async function findSharedStudents(db: Database, classIds: readonly number[], studentIds: readonly number[]) {
  if (classIds.length === 0 && studentIds.length === 0) return [];
  return db
    .selectFrom('class_student as other')
    .innerJoin('class', 'class.id', 'other.class_id')
    .innerJoin('student', 'student.id', 'other.student_id')
    .select((eb) => [
      'other.class_id',
      'class.name as class_name',
      eb.fn.count<number>('other.student_id').distinct().as('students'),
      eb.fn.min<string>('student.nickname').as('name'),
    ])
    .where('other.left_at', 'is', null)
    .where('other.class_id', 'not in', [0, ...classIds])
    .where((eb) =>
      eb.or([
        eb('other.student_id', 'in', [0, ...studentIds]),
        eb('other.student_id', 'in', (inner) =>
          inner
            .selectFrom('class_student as member')
            .select('member.student_id')
            .where('member.class_id', 'in', [0, ...classIds])
            .where('member.left_at', 'is', null),
        ),
      ]),
    )
    .groupBy(['other.class_id', 'class.name'])
    .execute();
}

// ---- Overlaps --------------------------------------------------------------------------------------

interface FoundClash {
  kind: Clash['kind'];
  id: number;
  lecturer_id: number | null;
  lecturer: string | null;
  room_id: number | null;
  room: string | null;
  course_id: number;
  course: string;
  title: string;
  class_id: number | null;
  class_name: string;
  school_id: number;
  start: number;
  end: number;
}

/** SQL condition for rows that overlap one of the times, within a range of start times that an index can search. */
function overlapsSlots(
  { slots }: Pick<PlannedSlots, 'slots'>,
  start: RawBuilder<number>,
  end: RawBuilder<number>,
): RawBuilder<SqlBool> {
  const first = Math.min(...slots.map((slot) => slot.start)) - longestLesson;
  const last = Math.max(...slots.map((slot) => slot.end));
  const some = slots.map((slot) => sql<SqlBool>`(${start} < ${slot.end} and ${end} > ${slot.start})`);
  return sql<SqlBool>`(${start} > ${first} and ${start} < ${last} and (${sql.join(some, sql` or `)}))`;
}

async function overlappingPeriods(db: Database, plan: PlannedSlots, { takenBy }: Participants): Promise<FoundClash[]> {
  const start = sql<number>`period.start_play`;
  const end = sql<number>`(period.start_play + period.total_time)`;
  const periods = (among = db.selectFrom('period')) =>
    among
      .innerJoin('course', 'course.id', 'period.course_id')
      .leftJoin('staff', 'staff.id', 'period.lecturer_id')
      .select([
        'period.id',
        'period.lecturer_id',
        'staff.real_name as lecturer',
        'period.course_id',
        'course.title as course',
        'course.school_id',
        'period.title',
        'period.start_play as start',
        end.as('end'),
      ])
      .where('period.id', 'not in', [0, ...(plan.except?.periodIds ?? [])]);
  const of = (slots: readonly Slot[]) => overlapsSlots({ slots }, start, end);
  const byLecturer = [...slotsBy(plan.slots, 'lecturerId')].map(([lecturerId, slots]) =>
    periods(periodsTaughtBy(db, { id: lecturerId }))
      .where(of(slots))
      .execute(),
  );
  const byCourse =
    takenBy.size > 0
      ? [
          periods()
            .where('period.course_id', 'in', [...takenBy.keys()])
            .where(of(plan.slots))
            .execute(),
        ]
      : [];
  const rows = (await Promise.all([...byLecturer, ...byCourse])).flat();
  return rows.map((row) => ({ ...row, kind: 'period', room_id: null, room: null, class_id: null, class_name: '' }));
}

async function overlappingSessions(
  db: Database,
  plan: PlannedSlots,
  { classes, shared }: Participants,
): Promise<FoundClash[]> {
  const start = sql<number>`class_session.start_time`;
  const end = sql<number>`class_session.end_time`;
  const { periodIds = [], sessionIds = [] } = plan.except ?? {};
  const sessions = (among = db.selectFrom('class_session')) =>
    among
      .innerJoin('course', 'course.id', 'class_session.course_id')
      .innerJoin('class', 'class.id', 'class_session.class_id')
      .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
      .leftJoin('room', 'room.id', 'class_session.room_id')
      .select([
        'class_session.id',
        'class_session.lecturer_id',
        'staff.real_name as lecturer',
        'class_session.room_id',
        'room.name as room',
        'class_session.course_id',
        'course.title as course',
        'class_session.chapter_title as title',
        'class_session.class_id',
        'class.name as class_name',
        'class.school_id',
        'class_session.start_time as start',
        'class_session.end_time as end',
      ])
      .where('class_session.cancelled_at', 'is', null)
      .where('class_session.id', 'not in', [0, ...sessionIds])
      // A lesson that teaches the planned period is that same period, so it is no clash.
      .where((eb) => eb.or([eb('class_session.period_id', 'is', null), teachesNone(eb, periodIds)]));
  const of = (slots: readonly Slot[]) => overlapsSlots({ slots }, start, end);
  const byLecturer = [...slotsBy(plan.slots, 'lecturerId')].map(([lecturerId, slots]) =>
    sessions(sessionsTaughtBy(db, { id: lecturerId }))
      .where(of(slots))
      .execute(),
  );
  const byRoom = [...slotsBy(plan.slots, 'roomId')].map(([roomId, slots]) =>
    sessions().where('class_session.room_id', '=', roomId).where(of(slots)).execute(),
  );
  const classIds = [...classes.keys(), ...shared.keys()];
  const byClass =
    classIds.length > 0
      ? [sessions().where('class_session.class_id', 'in', classIds).where(of(plan.slots)).execute()]
      : [];
  const rows = (await Promise.all([...byLecturer, ...byRoom, ...byClass])).flat();
  return rows.map((row) => ({ ...row, kind: 'session' }));
}

/** A meeting only clashes for the lecturer who holds it, because classes and students meet outside of lessons. */
async function overlappingMeetings(db: Database, slots: readonly Slot[]): Promise<FoundClash[]> {
  const of = (meant: readonly Slot[]) =>
    overlapsSlots({ slots: meant }, sql<number>`class_meeting.start_time`, sql<number>`class_meeting.end_time`);
  const byLecturer = [...slotsBy(slots, 'lecturerId')].map(([lecturerId, meant]) =>
    db
      .selectFrom('class_meeting')
      .innerJoin('class', 'class.id', 'class_meeting.class_id')
      .innerJoin('staff', 'staff.id', 'class_meeting.staff_id')
      .select([
        'class_meeting.id',
        'class_meeting.staff_id as lecturer_id',
        'staff.real_name as lecturer',
        'class_meeting.meeting_name as title',
        'class.name as class_name',
        'class.school_id',
        'class_meeting.start_time as start',
        'class_meeting.end_time as end',
      ])
      .where('class_meeting.staff_id', '=', lecturerId)
      .where(of(meant))
      .execute(),
  );
  const rows = (await Promise.all(byLecturer)).flat();
  const without = { room_id: null, room: null, course_id: 0, course: '', class_id: null } as const;
  return rows.map((row) => ({ ...row, ...without, kind: 'meeting' }));
}

const teachesNone = (eb: ExpressionBuilder<Tables, 'class_session'>, periodIds: readonly number[]) =>
  eb('class_session.period_id', 'not in', [0, ...periodIds]);

/** Groups the times by lecturer or by room; skips those without one. */
function slotsBy(slots: readonly Slot[], of: 'lecturerId' | 'roomId'): Map<number, Slot[]> {
  const by = new Map<number, Slot[]>();
  for (const slot of slots) {
    const id = slot[of];
    if (id !== null && id !== undefined) by.set(id, [...(by.get(id) ?? []), slot]);
  }
  return by;
}

// ---- Wording ---------------------------------------------------------------------------------------

function clashOf(
  found: FoundClash,
  { plan, present, schools }: { plan: PlannedSlots; present: Participants; schools: ReadonlySet<number> },
): Clash {
  const { classes, shared, takenBy } = present;
  const meant = plan.slots.filter(({ start, end }) => start < found.end && end > found.start);
  const attending = found.class_id === null ? (takenBy.get(found.course_id) ?? []) : [found.class_id];
  const theirs = attending.flatMap((id) => classes.get(id) ?? []);
  const students = attending.flatMap((id) => shared.get(id) ?? []);
  const who = [
    found.lecturer_id !== null && meant.some(({ lecturerId }) => lecturerId === found.lecturer_id)
      ? `讲师${found.lecturer}`
      : '',
    found.room_id !== null && meant.some(({ roomId }) => roomId === found.room_id) ? `教室${found.room}` : '',
    theirs.length > 0 ? `班级${shortenNames(theirs)}` : '',
    students.length > 0 ? studentsSaid(students) : '',
  ].filter(Boolean);
  const isOurs = schools.has(found.school_id);
  return {
    kind: found.kind,
    id: found.id,
    who: who.length > 0 ? who : ['本课程'],
    isElsewhere: !isOurs,
    course: isOurs ? found.course : '',
    title: isOurs ? found.title : '',
    class_name: isOurs ? found.class_name : '',
    start: found.start,
    end: found.end,
  };
}

const shortenNames = (names: readonly string[]): string =>
  names.length > 2 ? `${names.slice(0, 2).join('、')}等${names.length}个` : names.join('、');

function studentsSaid(shared: readonly { students: number; name: string }[]): string {
  const count = shared.reduce((sum, { students }) => sum + Number(students), 0);
  return count > 1 ? `学员${shared[0]?.name}等${count}人` : `学员${shared[0]?.name}`;
}
