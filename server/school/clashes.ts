/**
 * Scheduling conflicts: periods and scheduled lessons that use the same lecturer, room, class or students at the same
 * time, and class meetings of the same lecturer. A planner is warned and may proceed.
 */
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { classTypes } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { schoolsOf } from './admin-schools.ts';
import { dayOf, timeOf } from './calendar.ts';
import { periodsTaughtBy, sessionsTaughtBy } from './staff-duties.ts';

/** A planned time. Unix seconds. */
export interface Slot {
  start: number;
  end: number;
  lecturerId?: number | null | undefined;
  roomId?: number | null | undefined;
}

/** A plan: one slot or a series. All named participants attend every slot. */
export interface PlannedSlots {
  slots: readonly Slot[];
  /** The course's classes and students attend; its own other periods count as conflicts too. */
  courseId?: number | undefined;
  /** These classes attend with their students. */
  classIds?: readonly number[] | undefined;
  studentIds?: readonly number[] | undefined;
  /** Lessons being rescheduled, which are no conflict. */
  except?: { periodIds?: readonly number[]; sessionIds?: readonly number[] };
}

export interface Clash {
  kind: 'period' | 'session' | 'meeting';
  id: number;
  /** Names of the shared participants and rooms. */
  who: string[];
  /** True if the other lesson belongs to a school that the actor does not administer; its details stay empty. */
  isElsewhere: boolean;
  /** Course, and class of a scheduled lesson or meeting; '' if there is none, or elsewhere. */
  course: string;
  title: string;
  class_name: string;
  start: number;
  end: number;
}

/** Maximum length of a lesson in seconds, so that an index on the start time finds lessons still running. */
export const longestLesson = 24 * 60 * 60;

/** Slots per query. */
const slotsAtOnce = 100;

/** Returns conflicts ordered by start. One index lookup per lecturer, room and course, however large the school is. */
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

/** Maximum conflicts listed one by one. */
const maxShownClashes = 5;

/** Returns the warning to confirm; undefined without conflicts. */
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
  /** Class names by id. */
  classes: Map<number, string>;
  /** Other classes that share students with these: how many students, and one name. */
  shared: Map<number, { students: number; name: string; class_name: string }>;
  /** Attending classes by course. */
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
  const shared = new Map((await sharedWith(db, [...classes.keys()], studentIds)).map((row) => [row.class_id, row]));
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

/** Classes that attend a course's periods. Group classes and single students meet in scheduled lessons instead. */
const classesTaking = (db: Database, courseId: number) =>
  db
    .selectFrom('class_course')
    .innerJoin('class as taking', 'taking.id', 'class_course.class_id')
    .where('class_course.course_id', '=', courseId)
    .where('taking.class_type', '=', classTypes.stateSchool);

async function sharedWith(db: Database, classIds: readonly number[], studentIds: readonly number[]) {
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

/** SQL: overlaps any slot, within a range of start times that an index can search. */
function within(
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
  const of = (slots: readonly Slot[]) => within({ slots }, start, end);
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
      // A scheduled lesson that teaches the period is the same lesson.
      .where((eb) => eb.or([eb('class_session.period_id', 'is', null), teachesNone(eb, periodIds)]));
  const of = (slots: readonly Slot[]) => within({ slots }, start, end);
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

/** Meetings count only for the lecturer who holds them: classes and students meet outside of lessons. */
async function overlappingMeetings(db: Database, slots: readonly Slot[]): Promise<FoundClash[]> {
  const of = (meant: readonly Slot[]) =>
    within({ slots: meant }, sql<number>`class_meeting.start_time`, sql<number>`class_meeting.end_time`);
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

/** Groups slots by lecturer or room; skips those without one. */
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
    theirs.length > 0 ? `班级${shortened(theirs)}` : '',
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

const shortened = (names: readonly string[]): string =>
  names.length > 2 ? `${names.slice(0, 2).join('、')}等${names.length}个` : names.join('、');

function studentsSaid(shared: readonly { students: number; name: string }[]): string {
  const count = shared.reduce((sum, { students }) => sum + Number(students), 0);
  return count > 1 ? `学员${shared[0]?.name}等${count}人` : `学员${shared[0]?.name}`;
}
