/**
 * Call of learners for lessons, `GET /api/app/lessons`: lessons of the learner's classes, and whether the learner can
 * join them now.
 */
import { sql } from 'kysely';
import * as v from 'valibot';
import { askForLeaveFault, type OpStatus } from '#server/attendance/rules.ts';
import { classTypes, liveCourses, offlineCourse } from '#server/classes/rules.ts';
import { handleApplication, QueryUid, versionOf, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, IdAndName, SearchSeconds, Seconds } from '#server/platform/calls/fields.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import { cancelledStatus, entryLeadSeconds, sessionStatus } from '#server/sessions/rules.ts';
import { liveStatus } from './entry.ts';
import { entryKinds, entryMessages, lessonMessages } from './rules.ts';

const day = 24 * 60 * 60;
const hour = 60 * 60;
/** Seconds between `from` and `to` if one of them is missing. */
const usualSpan = 7 * day;
/** Maximum seconds between `from` and `to`. */
const maxSpan = 62 * day;
/** Ids are reduced modulo this number to weights, so that weighted sums of timestamps fit 64 bits. */
const weights = 9973;

const Lesson = v.object({
  /**
   * `period`: a period of a course. `course`: a scheduled lesson of a group or one-to-one class. `meeting`: a meeting
   * of a class.
   */
  kind: v.picklist(entryKinds),
  id: v.number(),
  title: v.string(),
  course: v.nullable(IdAndName),
  class: IdAndName,
  /** Name of the lecturer, or of the meeting's host. */
  nickname: v.string(),
  room_name: v.string(),
  start: Seconds,
  end: Seconds,
  /** Status of the lesson: 1 not started, 2 live, 3 ended. */
  live_status: v.picklist([1, 2, 3]),
  is_cancelled: FlagNumber,
  join: v.object({
    /** `early`: the room opens at `opens_at`. `closed`: the lesson cannot be joined, for the `reason` given. */
    state: v.picklist(['early', 'open', 'over', 'closed']),
    opens_at: v.nullable(Seconds),
    reason: v.string(),
    /** Join code of a meeting that is open. */
    code: v.string(),
  }),
  /**
   * Attendance in a period: 0 attended, 1 leave requested, 2 leave approved, 3 leave rejected, 4 leave withdrawn, 5
   * absent.
   */
  op_status: v.nullable(v.number()),
  /** Attendance in a lesson: 1 present, 2 on leave, 3 absent. In a meeting: 1 joined. Null: no record. */
  attended: v.nullable(v.number()),
  /** 1: the student may ask for leave (periods only). */
  may_ask_leave: FlagNumber,
});
type Lesson = v.InferOutput<typeof Lesson>;

const listLessons = call({
  method: 'GET',
  path: '/api/app/lessons',
  title: '学员的课表',
  description: 'from、to 为 Unix 秒，默认从今天起7天，最多62天。请假所需的 class_id、course_id 与课时 id 由此取得。',
  query: v.object({ uid: QueryUid, from: SearchSeconds, to: SearchSeconds }),
  answer: v.object({ from: Seconds, to: Seconds, now: Seconds, list: v.array(Lesson) }),
  example: {
    query: { uid: 12, from: 1795104000, to: 1795708800 },
    answer: {
      from: 1795104000,
      to: 1795708800,
      now: 1795147200,
      list: [
        {
          kind: 'period',
          id: 40,
          title: '第二讲 函数',
          course: { id: 8, name: '高一数学' },
          class: { id: 3, name: '高一(2)班' },
          nickname: '李老师',
          room_name: '',
          start: 1795233600,
          end: 1795239000,
          live_status: 1,
          is_cancelled: 0,
          join: { state: 'early', opens_at: 1795233000, reason: '', code: '' },
          op_status: null,
          attended: null,
          may_ask_leave: 1,
        },
      ],
    },
  },
});

interface Span {
  from: number;
  to: number;
}

export const learnerCalendarCalls = [
  handleApplication(listLessons, {
    version: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now, settings }) =>
        lessonsVersion(db, uid, { ...spanOf(query, { now, timezone: settings.timezone }), now }),
      ),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, async ({ db, uid, now, settings }) => {
        const span = spanOf(query, { now, timezone: settings.timezone });
        return { ...span, now, list: await lessonsBetween(db, uid, { ...span, now }) };
      }),
  }),
];

function spanOf(
  { from: requestedFrom, to }: { from?: number | undefined; to?: number | undefined },
  { now, timezone }: { now: number; timezone: string },
): Span {
  const from = requestedFrom ?? dayStart(dayOf(now, timezone), timezone);
  return { from, to: Math.min(Math.max(to ?? from + usualSpan, from), from + maxSpan) };
}

const classesOf = (db: Database, uid: number) =>
  db
    .selectFrom('class_student')
    .select('class_student.class_id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null);

/**
 * Selects the periods of a student. If several of the student's classes take the course, the class with the lowest id
 * counts.
 */
const periodsOf = (db: Database, uid: number, { from, to }: Span) =>
  db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .innerJoin('class_course', 'class_course.class_id', 'class.id')
    .innerJoin('period', 'period.course_id', 'class_course.course_id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .where('class.class_type', '=', classTypes.stateSchool)
    .where('period.start_play', '>=', from)
    .where('period.start_play', '<', to);

const sessionsOf = (db: Database, uid: number, { from, to }: Span) =>
  db
    .selectFrom('class_session')
    .where('class_session.class_id', 'in', classesOf(db, uid))
    .where('class_session.start_time', '>=', from)
    .where('class_session.start_time', '<', to);

const meetingsOf = (db: Database, uid: number, { from, to }: Span) =>
  db
    .selectFrom('class_meeting')
    .where('class_meeting.class_id', 'in', classesOf(db, uid))
    .where('class_meeting.start_time', '>=', from)
    .where('class_meeting.start_time', '<', to);

/** Lists the lessons that start from `from` until before `to`, sorted by start. */
async function lessonsBetween(db: Database, uid: number, span: Span & { now: number }): Promise<Lesson[]> {
  const found = await Promise.all([periods(db, uid, span), sessions(db, uid, span), meetings(db, uid, span)]);
  return found.flat().sort((a, b) => a.start - b.start || a.kind.localeCompare(b.kind) || a.id - b.id);
}

async function periods(db: Database, uid: number, { now, ...span }: Span & { now: number }): Promise<Lesson[]> {
  const rows = await periodsOf(db, uid, span)
    .innerJoin('course', 'course.id', 'period.course_id')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .leftJoin('attendance', (join) =>
      join
        .onRef('attendance.class_id', '=', 'class.id')
        .onRef('attendance.period_id', '=', 'period.id')
        .on('attendance.student_id', '=', uid),
    )
    .select(['period.id', 'period.title', 'period.start_play', 'period.total_time', 'period.periods_type'])
    .select(['period.advance_time', 'period.allow_enter', 'course.id as course_id', 'course.title as course_title'])
    .select(['course.course_type', 'class.id as class_id', 'class.name as class_name', 'staff.real_name'])
    .select('attendance.op_status')
    .orderBy('class.id')
    .execute();
  const first = rows.filter(({ id }, at) => rows.findIndex((one) => one.id === id) === at);
  return first.map((row) => {
    const end = row.start_play + row.total_time;
    return {
      kind: 'period',
      id: row.id,
      title: row.title,
      course: { id: row.course_id, name: row.course_title },
      class: { id: row.class_id, name: row.class_name },
      nickname: row.real_name ?? '',
      room_name: '',
      start: row.start_play,
      end,
      live_status: liveStatus(row.start_play, end, now),
      is_cancelled: 0,
      join: joinOf({ opens: row.start_play - row.advance_time * 60, end }, now, closedReason(row)),
      op_status: row.op_status,
      attended: null,
      may_ask_leave: row.start_play > now && mayAsk(row) ? 1 : 0,
    };
  });
}

/**
 * True if a student may ask for leave in a period that has not begun. The same rule decides in the call that requests
 * leave.
 */
const mayAsk = ({ op_status, course_type }: { op_status: OpStatus | null; course_type: number }): boolean =>
  askForLeaveFault(op_status ?? -1, { courseType: course_type, begun: false }) === undefined;

function closedReason(period: { periods_type: number; course_type: number; allow_enter: 0 | 1 }): string | undefined {
  if (period.periods_type === offlineCourse) return entryMessages.offline;
  if (!liveCourses.includes(period.course_type)) return entryMessages.noRoom;
  return period.allow_enter === 1 ? entryMessages.notOpen : undefined;
}

function joinOf(
  { opens, end }: { opens: number; end: number },
  now: number,
  closed: string | undefined,
  code = '',
): Lesson['join'] {
  if (closed !== undefined) return { state: 'closed', opens_at: null, reason: closed, code: '' };
  if (now >= end) return { state: 'over', opens_at: opens, reason: '', code: '' };
  return now < opens
    ? { state: 'early', opens_at: opens, reason: '', code: '' }
    : { state: 'open', opens_at: opens, reason: '', code };
}

async function sessions(db: Database, uid: number, { now, ...span }: Span & { now: number }): Promise<Lesson[]> {
  const rows = await sessionsOf(db, uid, span)
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .leftJoin('period', 'period.id', 'class_session.period_id')
    .leftJoin('room', 'room.id', 'class_session.room_id')
    .leftJoin('session_student', (join) =>
      join.onRef('session_student.session_id', '=', 'class_session.id').on('session_student.student_id', '=', uid),
    )
    .select(['class_session.id', 'class_session.start_time', 'class_session.end_time', 'class_session.cancelled_at'])
    .select(['class_session.teaching_mode', 'class_session.chapter_title', 'period.title as period_title'])
    .select(['course.id as course_id', 'course.title as course_title', 'class.id as class_id'])
    .select(['class.name as class_name', 'staff.real_name', 'room.name as room_name', 'session_student.status'])
    .execute();
  return rows.map((row) => {
    const isCancelled = sessionStatus(row, now) === cancelledStatus;
    const inPerson = row.teaching_mode === 2 ? lessonMessages.inPerson : undefined;
    const closed = isCancelled ? entryMessages.cancelled : inPerson;
    return {
      kind: 'course',
      id: row.id,
      title: row.period_title ?? row.chapter_title,
      course: { id: row.course_id, name: row.course_title },
      class: { id: row.class_id, name: row.class_name },
      nickname: row.real_name,
      room_name: row.room_name ?? '',
      start: row.start_time,
      end: row.end_time,
      live_status: liveStatus(row.start_time, row.end_time, now),
      is_cancelled: isCancelled ? 1 : 0,
      join: joinOf({ opens: row.start_time - entryLeadSeconds, end: row.end_time }, now, closed),
      op_status: null,
      attended: row.status,
      may_ask_leave: 0,
    };
  });
}

async function meetings(db: Database, uid: number, { now, ...span }: Span & { now: number }): Promise<Lesson[]> {
  const rows = await meetingsOf(db, uid, span)
    .innerJoin('class', 'class.id', 'class_meeting.class_id')
    .innerJoin('staff', 'staff.id', 'class_meeting.staff_id')
    .leftJoin('class_meeting_attendance', (join) =>
      join
        .onRef('class_meeting_attendance.meeting_id', '=', 'class_meeting.id')
        .on('class_meeting_attendance.student_id', '=', uid),
    )
    .select(['class_meeting.id', 'class_meeting.meeting_name', 'class_meeting.start_time', 'class_meeting.end_time'])
    .select(['class_meeting.student_code', 'class.id as class_id', 'class.name as class_name', 'staff.real_name'])
    .select('class_meeting_attendance.joined_at')
    .execute();
  return rows.map((row) => ({
    kind: 'meeting',
    id: row.id,
    title: row.meeting_name,
    course: null,
    class: { id: row.class_id, name: row.class_name },
    nickname: row.real_name,
    room_name: '',
    start: row.start_time,
    end: row.end_time,
    live_status: liveStatus(row.start_time, row.end_time, now),
    is_cancelled: 0,
    join: joinOf({ opens: row.start_time, end: row.end_time }, now, undefined, row.student_code),
    op_status: null,
    attended: row.joined_at === null ? null : 1,
    may_ask_leave: 0,
  }));
}

/**
 * Version of a learner's lessons. It changes when a lesson is planned, moved, cancelled, recorded or starts. A new
 * title shows within an hour.
 */
async function lessonsVersion(db: Database, uid: number, { now, ...span }: Span & { now: number }): Promise<string> {
  const past = (moment: string) =>
    sql<number>`coalesce(sum(case when ${sql.raw(moment)} <= ${now} then 1 else 0 end), 0)`;
  const sum = (number: string) => sql<number>`coalesce(sum(${sql.raw(number)}), 0)`;
  // Sums a column, weighted by id: without weights the sum would stay the same if two lessons swap their times.
  const sumOf = (id: string, number: string) => sum(`(cast(${id} as bigint) % ${weights} + 1) * (${number})`);
  const facts = await Promise.all([
    periodsOf(db, uid, span)
      .leftJoin('attendance', (join) =>
        join
          .onRef('attendance.class_id', '=', 'class.id')
          .onRef('attendance.period_id', '=', 'period.id')
          .on('attendance.student_id', '=', uid),
      )
      .select([
        sum('period.id').as('ids'),
        sumOf('period.id', 'period.start_play').as('starts'),
        sumOf('period.id', 'period.total_time * 3 + period.advance_time * 7 + period.allow_enter').as('rest'),
        sumOf('period.id', 'attendance.op_status * 11 + attendance.version').as('recorded'),
        past('period.start_play').as('begun'),
        past('period.start_play + period.total_time').as('ended'),
        past('period.start_play - period.advance_time * 60').as('opened'),
      ])
      .executeTakeFirstOrThrow(),
    sessionsOf(db, uid, span)
      .leftJoin('session_student', (join) =>
        join.onRef('session_student.session_id', '=', 'class_session.id').on('session_student.student_id', '=', uid),
      )
      .select([
        sum('class_session.id').as('ids'),
        sumOf('class_session.id', 'class_session.start_time').as('starts'),
        sumOf('class_session.id', 'class_session.end_time').as('ends'),
        sumOf('class_session.id', 'class_session.teaching_mode * 3 + coalesce(class_session.cancelled_at, 0)').as(
          'rest',
        ),
        sumOf('class_session.id', 'coalesce(class_session.room_id, 0) * 5 + class_session.lecturer_id').as('where'),
        sumOf('class_session.id', 'session_student.status').as('recorded'),
        past('class_session.start_time').as('begun'),
        past('class_session.end_time').as('ended'),
        past(`class_session.start_time - ${entryLeadSeconds}`).as('opened'),
      ])
      .executeTakeFirstOrThrow(),
    meetingsOf(db, uid, span)
      .leftJoin('class_meeting_attendance', (join) =>
        join
          .onRef('class_meeting_attendance.meeting_id', '=', 'class_meeting.id')
          .on('class_meeting_attendance.student_id', '=', uid),
      )
      .select([
        sum('class_meeting.id').as('ids'),
        sumOf('class_meeting.id', 'class_meeting.start_time').as('starts'),
        sumOf('class_meeting.id', 'class_meeting.end_time').as('ends'),
        sum('class_meeting_attendance.joined_at').as('recorded'),
        past('class_meeting.start_time').as('begun'),
        past('class_meeting.end_time').as('ended'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  return versionOf(uid, span.from, span.to, ...facts.flatMap((row) => Object.values(row)), Math.floor(now / hour));
}
