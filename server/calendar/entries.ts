/** Reads calendar entries (periods, scheduled lessons, class meetings) of a time range, or a single one. */

import { type SqlBool, sql } from 'kysely';
import { classTypes, offlineCourse } from '#server/classes/rules.ts';
import { visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesAssistedBy, classesStaffedBy } from '#server/school/reach.ts';
import type { CalendarCourse, ClassGroup } from './contract.ts';
import { entryPoint, type LiveFacts, liveStatus, mayEnterAssistantRoom } from './entry.ts';
import type { EntryKind } from './rules.ts';
import {
  groupsOf,
  lessonsOf,
  lessonsOfClass,
  meetingsOf,
  meetingsOfClass,
  periodsOf,
  periodsOfClass,
} from './visible.ts';

/** The actor's own calendar, or the calendar of a visible class. */
export interface CalendarOf {
  actor: Actor;
  classId?: number | undefined;
}

/** [from, until) in unix seconds, or one record. */
type EntrySelection = { from: number; until: number } | { id: number };

/** Parameters of the calendar's prepared statements: an owner, and either one record or a time range. */
interface Owner {
  actorId: number;
  classId: number | undefined;
}
interface Values extends Owner {
  id: number | undefined;
  from: number | undefined;
  until: number | undefined;
}

const valuesOf = ({ actor, classId }: CalendarOf, which: EntrySelection): Values => ({
  actorId: actor.id,
  classId,
  id: undefined,
  from: undefined,
  until: undefined,
  ...which,
});

const isBetween = (column: string, { from, until }: Pick<Placeholders<Values>, 'from' | 'until'>) =>
  sql<SqlBool>`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until})`;

/** Lists the entries that start in [from, until), unix seconds, by start. */
export async function coursesBetween(
  db: Database,
  of: CalendarOf,
  { from, until, now }: { from: number; until: number; now: number },
): Promise<CalendarCourse[]> {
  const between = { from, until };
  const found = await Promise.all([
    periodCourses(db, of, between, now),
    lessonCourses(db, of, between, now),
    meetingCourses(db, of, between, now),
  ]);
  return found.flat().sort((a, b) => a.start_play - b.start_play || a.kind.localeCompare(b.kind) || a.id - b.id);
}

/** Returns the start times in [from, until), unix seconds, unordered. */
export async function startsBetween(
  db: Database,
  of: CalendarOf,
  { from, until }: { from: number; until: number },
): Promise<number[]> {
  const rows = await starts(db, valuesOf(of, { from, until }), of.actor.identity);
  return rows.map(({ start }) => start);
}

const starts = prepared((db, at: Placeholders<Values>, identity: Identity) => {
  const [periods, lessons, meetings] = tablesOf(db, at, identity);
  return periods
    .select('period.start_play as start')
    .where(isBetween('period.start_play', at))
    .unionAll(lessons.select('class_session.start_time as start').where(isBetween('class_session.start_time', at)))
    .unionAll(meetings.select('class_meeting.start_time as start').where(isBetween('class_meeting.start_time', at)));
});

/**
 * Returns one entry from the actor's own calendar or from that of a visible class. Undefined if it is missing or not
 * visible.
 */
export async function oneCourse(
  db: Database,
  actor: Actor,
  { kind, id, now }: { kind: EntryKind; id: number; now: number },
): Promise<CalendarCourse | undefined> {
  const find = { period: periodCourses, course: lessonCourses, meeting: meetingCourses }[kind];
  const [own] = await find(db, { actor }, { id }, now);
  if (own) return own;
  const classId = await seenClassOf(db, actor, kind, id);
  if (classId === undefined) return undefined;
  return (await find(db, { actor, classId }, { id }, now))[0];
}

/** Returns a visible class whose calendar contains the record. */
async function seenClassOf(db: Database, actor: Actor, kind: EntryKind, id: number): Promise<number | undefined> {
  const classes = visibleClasses(db, actor).select('class.id').orderBy('class.id').limit(1);
  const found = await {
    period: () =>
      classes.where('class.id', 'in', (eb) =>
        eb
          .selectFrom('period')
          .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
          .select('class_course.class_id')
          .where('period.id', '=', id),
      ),
    course: () =>
      classes.where('class.id', 'in', (eb) =>
        eb.selectFrom('class_session').select('class_session.class_id').where('class_session.id', '=', id),
      ),
    meeting: () =>
      classes.where('class.id', 'in', (eb) =>
        eb.selectFrom('class_meeting').select('class_meeting.class_id').where('class_meeting.id', '=', id),
      ),
  }
    [kind]()
    .executeTakeFirst();
  return found?.id;
}

function tablesOf(db: Database, { actorId, classId }: Placeholders<Owner>, identity: Identity) {
  const viewer: Viewer = { id: actorId, identity };
  return classId
    ? ([periodsOfClass(db, classId), lessonsOfClass(db, classId), meetingsOfClass(db, classId)] as const)
    : ([periodsOf(db, viewer), lessonsOf(db, viewer), meetingsOf(db, viewer)] as const);
}

// ---- periods ------------------------------------------------------------------------------------

async function periodCourses(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await periodRows(db, valuesOf(of, which), of.actor.identity);
  if (rows.length === 0) return [];
  const courseIds = [...new Set(rows.map(({ course_basis_id }) => course_basis_id))];
  const { classNames, groups } = await classesAndGroups(db, of, courseIds);
  const { identity, id: actorId } = of.actor;
  return rows.map(({ lecturer_id, total_time, chapter_id, ...row }) => {
    const end_play = row.start_play + total_time;
    const isTheirs = identity === 'assist' || lecturer_id === actorId;
    return finished(of.actor, isTheirs, {
      ...nothing,
      ...row,
      kind: 'period',
      nickname: row.nickname ?? '',
      class_name: shortened(classNames.get(row.course_basis_id) ?? []),
      end_play,
      live_status: liveStatus(row.start_play, end_play, now),
      class_list: groups.get(row.course_basis_id) ?? [],
      course_chapter_id: chapter_id ?? 0,
    });
  });
}

const periodRows = prepared((db, at: Placeholders<Values>, identity: Identity) => {
  const [periods] = tablesOf(db, at, identity);
  const matching = periods
    .innerJoin('course', 'course.id', 'period.course_id')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .select([
      'period.id',
      'period.title as period_title',
      'period.periods_type',
      'period.lecturer_id',
      'period.start_play',
      'period.total_time',
      'period.chapter_id',
      'period.advance_time',
      'period.student_code',
      'period.allow_enter',
      'period.is_playback',
      'period.periods_extend',
      'course.id as course_basis_id',
      'course.title as course_title',
      'course.course_type',
      'course.course_extend',
      'staff.real_name as nickname',
    ]);
  return matching.where((eb) => (at.id ? eb('period.id', '=', at.id) : isBetween('period.start_play', at)));
});

/**
 * Reads class names and groups by course in one statement. Names: the class itself in a class calendar, an assistant's
 * own classes, else all. Groups: those whose rooms the actor may enter.
 */
async function classesAndGroups(db: Database, { actor, classId }: CalendarOf, courseIds: number[]) {
  const courses = JSON.stringify(courseIds);
  const found = await classesAndGroupRows(db, { actorId: actor.id, classId, courses }, actor.identity);
  const classNames = new Map<number, string[]>();
  const groups = new Map<number, ClassGroup[]>();
  for (const { course_id, kind, id, name } of found) {
    if (kind === 'class') {
      const names = classNames.get(course_id);
      if (names) names.push(name);
      else classNames.set(course_id, [name]);
      continue;
    }
    const group = { class_group_id: id, group_name: name, course_basis_id: course_id };
    const others = groups.get(course_id);
    if (others) others.push(group);
    else groups.set(course_id, [group]);
  }
  return { classNames, groups };
}

interface OwnerOfCourses extends Owner {
  courses: string;
}

const classesAndGroupRows = prepared((db, at: Placeholders<OwnerOfCourses>, identity: Identity) => {
  const viewer: Viewer = { id: at.actorId, identity };
  const among = inJsonIds(db, at.courses);
  let classes = db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select([
      'class_course.course_id',
      sql<'class' | 'group'>`'class'`.as('kind'),
      'class.id as id',
      'class.name as name',
    ])
    .where('class_course.course_id', 'in', among)
    .where('class.class_type', '=', classTypes.stateSchool);
  if (at.classId) classes = classes.where('class.id', '=', at.classId);
  else if (identity === 'assist') classes = classes.where('class.id', 'in', classesAssistedBy(db, viewer));
  return classes
    .unionAll(
      groupsOf(db, viewer)
        .select([
          'class_group.course_id',
          sql<'class' | 'group'>`'group'`.as('kind'),
          'class_group.id as id',
          'class_group.group_name as name',
        ])
        .where('class_group.course_id', 'in', among),
    )
    .orderBy('id');
});

const shortened = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join('、')}等${names.length}个班级` : names.join('、');

// ---- scheduled lessons --------------------------------------------------------------------------

async function lessonCourses(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await lessonRows(db, valuesOf(of, which), of.actor.identity);
  const { identity, id: actorId } = of.actor;
  return rows.map(({ lecturer_id, teaching_mode, chapter_title, cancelled_at, ...row }) => {
    const isInPerson = teaching_mode === 2;
    const is_cancelled = cancelled_at === null ? 0 : 1;
    return finished(of.actor, identity === 'assist' || lecturer_id === actorId, {
      ...nothing,
      ...row,
      kind: 'course',
      period_title: row.period_title ?? chapter_title,
      room_name: row.room_name ?? '',
      periods_type: isInPerson ? offlineCourse : 1,
      live_status: liveStatus(row.start_play, row.end_play, now),
      allow_enter: isInPerson || is_cancelled ? 1 : 0,
      is_cancelled,
    });
  });
}

const lessonRows = prepared((db, at: Placeholders<Values>, identity: Identity) => {
  const [, lessons] = tablesOf(db, at, identity);
  const matching = lessons
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .leftJoin('period', 'period.id', 'class_session.period_id')
    .leftJoin('room', 'room.id', 'class_session.room_id')
    .select([
      'class_session.id',
      'class_session.lecturer_id',
      'class_session.teaching_mode',
      'class_session.chapter_title',
      'class_session.start_time as start_play',
      'class_session.end_time as end_play',
      'class_session.cancelled_at',
      'class.name as class_name',
      'class.class_type',
      'course.id as course_basis_id',
      'course.title as course_title',
      'course.course_type',
      'staff.real_name as nickname',
      'period.title as period_title',
      'room.name as room_name',
    ]);
  return matching.where((eb) =>
    at.id ? eb('class_session.id', '=', at.id) : isBetween('class_session.start_time', at),
  );
});

// ---- class meetings -----------------------------------------------------------------------------

async function meetingCourses(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await meetingRows(db, valuesOf(of, which), of.actor.identity);
  return rows.map(({ staff_id, looksAfterClass, teacher_code, assistant_code, ...row }) => {
    const isTheirs = staff_id === of.actor.id || Boolean(looksAfterClass);
    return finished(of.actor, isTheirs, {
      ...nothing,
      ...row,
      ...(isTheirs ? { teacher_code, assistant_code } : {}),
      kind: 'meeting',
      live_status: liveStatus(row.start_play, row.end_play, now),
    });
  });
}

const meetingRows = prepared((db, at: Placeholders<Values>, identity: Identity) => {
  const [, , meetings] = tablesOf(db, at, identity);
  const matching = meetings
    .innerJoin('class', 'class.id', 'class_meeting.class_id')
    .innerJoin('staff', 'staff.id', 'class_meeting.staff_id')
    .select([
      'class_meeting.id',
      'class_meeting.meeting_name',
      'class_meeting.staff_id',
      'class_meeting.start_time as start_play',
      'class_meeting.end_time as end_play',
      'class_meeting.teacher_code',
      'class_meeting.assistant_code',
      'class_meeting.student_code',
      'class.name as class_name',
      'staff.real_name as nickname',
    ])
    .select((eb) =>
      eb('class_meeting.class_id', 'in', classesStaffedBy(db, { id: at.actorId, identity })).as('looksAfterClass'),
    );
  return matching.where((eb) =>
    at.id ? eb('class_meeting.id', '=', at.id) : isBetween('class_meeting.start_time', at),
  );
});

// ---- shared ---------------------------------------------------------------------------------------

const nothing: Omit<
  CalendarCourse,
  'kind' | 'id' | 'start_play' | 'end_play' | 'live_status' | 'entry' | 'assistant_room'
> = {
  period_title: '',
  meeting_name: '',
  class_name: '',
  course_title: '',
  nickname: '',
  room_name: '',
  periods_type: 1,
  course_type: 1,
  is_playback: 0,
  allow_enter: 0,
  advance_time: 0,
  student_code: '',
  assistant_code: '',
  teacher_code: '',
  periods_extend: 0,
  course_extend: 0,
  class_list: [],
  course_basis_id: 0,
  course_chapter_id: 0,
  class_type: classTypes.stateSchool,
  is_cancelled: 0,
};

/** Adds how the actor may enter. */
function finished(
  { identity }: Actor,
  isTheirs: boolean,
  course: Omit<CalendarCourse, 'entry' | 'assistant_room'>,
): CalendarCourse {
  const facts: LiveFacts = { ...course, isTheirs, groups: course.class_list.length };
  return {
    ...course,
    entry: entryPoint(identity, facts),
    assistant_room: identity === 'teacher' && mayEnterAssistantRoom(facts) ? 1 : 0,
  };
}
