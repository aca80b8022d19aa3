/**
 * Figures of attendance and study. They are always computed from the records: there are no counters that could drift.
 * Most students have no record for most periods. So the records of a student are read as one indexed row, and joined
 * with the periods in this file. Takes an eighth of the time of a row per student and period in SQL.
 */
import { sql } from 'kysely';
import { offlineCourse } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { isRollCallDone } from './facts.ts';
import { type AttendanceCategory, attendanceCategory, hasStudyTime, markedStatuses, opStatuses } from './rules.ts';

export interface AttendanceFigures {
  attend_times: number;
  leave_times: number;
  truant_times: number;
  /** Number of face-to-face lessons whose roll was not called; they are left out of rates. */
  uncalled_times: number;
  /** Number of periods in which the student was expected: not exempt, and begun while the student was in the class. */
  expected: number;
}

export interface Figures extends AttendanceFigures {
  study_length: number;
  progress_rate: number;
}

export const noAttendance: AttendanceFigures = {
  attend_times: 0,
  leave_times: 0,
  truant_times: 0,
  uncalled_times: 0,
  expected: 0,
};
export const noFigures: Figures = { ...noAttendance, study_length: 0, progress_rate: 0 };

/** Returns whole percent, cut off instead of rounded. */
export const percentOf = (part: number, whole: number): number => (whole > 0 ? Math.floor((100 * part) / whole) : 0);

/** Which members are read: those in `listed` (ids as JSON), or the whole class. */
interface MemberScope {
  classId: number;
  listed?: string;
}

/**
 * Computes figures by member or by course. A member or course without records is missing from the map: use `noFigures`.
 */
export async function computeFiguresBy(
  db: Database,
  key: 'member_id' | 'course_id',
  { classId, memberIds }: { classId: number; memberIds: readonly number[] },
  now: number,
): Promise<Map<number, Figures>> {
  if (memberIds.length === 0) return new Map();
  const whose = { classId, listed: JSON.stringify(memberIds) };
  const [stays, periods, marks, studies] = await Promise.all([
    staysOfListed(db, whose),
    periodsOfClass(db, { classId }),
    marksOf(db, whose),
    studiesOf(db, whose),
  ]);
  const markedBy = new Map(marks.map(({ student_id, marked }) => [student_id, numbersOf(marked)]));
  const watchedBy = new Map(studies.map(({ student_id, watched }) => [student_id, numbersOf(watched)]));
  const sums = new Map<number, FigureSums>();
  const records = new Records(periods.map(({ period_id }) => period_id));
  const categories = periods.map(({ course_type }) => categoriesOf(course_type));
  for (const [id, its] of staysByMember(stays)) {
    const uid = its[0]?.student_id ?? 0;
    records.fill(markedBy.get(uid) ?? [], watchedBy.get(uid) ?? []);
    for (const [place, period] of periods.entries()) {
      const of = key === 'member_id' ? id : period[key];
      let sum = sums.get(of);
      if (!sum) {
        sum = { ...noFigures, covered: 0, length: 0 };
        sums.set(of, sum);
      }
      addStudy(sum, period, records.watchedOf(place));
      if (!isExpected(its, period.start_play)) continue;
      addAttendance(sum, categories[place]?.[records.stateOf(place) * lessonStates + lessonState(period, now)]);
    }
  }
  return new Map(
    [...sums].map(([id, { covered, length, ...figures }]) => {
      figures.progress_rate = percentOf(covered, length);
      return [id, figures];
    }),
  );
}

interface FigureSums extends Figures {
  /** Seconds watched, at most the length of each period. `length`: sum of the lengths of the periods. */
  covered: number;
  length: number;
}

interface Stay {
  id: number;
  student_id: number;
  from: number;
  until: number | null;
}

function staysByMember(stays: readonly Stay[]): Map<number, Stay[]> {
  const byMember = new Map<number, Stay[]>();
  for (const stay of stays) {
    const known = byMember.get(stay.id);
    if (known) known.push(stay);
    else byMember.set(stay.id, [stay]);
  }
  return byMember;
}

/** True if the student was enrolled when the period began. */
function isExpected(stays: readonly Pick<Stay, 'from' | 'until'>[], start: number): boolean {
  for (const { from, until } of stays) if (from <= start && (until === null || start < until)) return true;
  return false;
}

function addStudy(sum: FigureSums, period: { course_type: number; total_time: number }, watched: number): void {
  if (!hasStudyTime(period.course_type)) return;
  sum.study_length += watched;
  sum.covered += Math.min(watched, period.total_time);
  sum.length += period.total_time;
}

function addAttendance(sum: AttendanceFigures, category: AttendanceCategory | undefined): void {
  if (category !== 'exempt') sum.expected += 1;
  if (category === 'attended') sum.attend_times += 1;
  if (category === 'leave') sum.leave_times += 1;
  if (category === 'truant') sum.truant_times += 1;
  if (category === 'uncalled') sum.uncalled_times += 1;
}

/** All combinations of facts about a lesson, at the index that `lessonState` gives. */
const lessonFacts = [false, true].flatMap((called) =>
  [false, true].flatMap((begun) => [false, true].map((ended) => ({ called, begun, ended }))),
);
const lessonStates = lessonFacts.length;

const lessonState = (
  { start_play, total_time, called }: { start_play: number; total_time: number; called: number },
  now: number,
): number => (called === 1 ? 4 : 0) + (start_play <= now ? 2 : 0) + (start_play + total_time <= now ? 1 : 0);

const categoriesByType = new Map<number, AttendanceCategory[]>();

/**
 * Returns the category of each combination of facts for a type of course, cached because a page needs thousands. Index:
 * (2 × (recorded state + 1) + (watched live ? 1 : 0)) × `lessonStates` + `lessonState`.
 */
function categoriesOf(courseType: number): AttendanceCategory[] {
  let categories = categoriesByType.get(courseType);
  if (!categories) {
    categories = opStatuses.flatMap((recorded) =>
      [false, true].flatMap((watchedLive) =>
        lessonFacts.map((lesson) => attendanceCategory({ courseType, recorded, watchedLive, ...lesson })),
      ),
    );
    categoriesByType.set(courseType, categories);
  }
  return categories;
}

/**
 * Reusable buffer for records: of one student by position of the period, or of one period by position of the student.
 */
class Records {
  private readonly places: Map<number, number>;
  private readonly status: Int8Array;
  private readonly live: Float64Array;
  private readonly watched: Float64Array;

  constructor(ids: readonly number[]) {
    this.places = new Map(ids.map((id, place) => [id, place]));
    this.status = new Int8Array(ids.length);
    this.live = new Float64Array(ids.length);
    this.watched = new Float64Array(ids.length);
  }

  /**
   * Fills the buffer from flat lists. `marked`: id, state, id, state … `watched`: id, live seconds, playback seconds …
   * Skips unknown ids.
   */
  fill(marked: readonly number[], watched: readonly number[]): void {
    this.status.fill(-1);
    this.live.fill(0);
    this.watched.fill(0);
    for (let at = 0; at < marked.length; at += 2) {
      const place = this.places.get(marked[at] as number);
      if (place !== undefined) this.status[place] = marked[at + 1] as number;
    }
    for (let at = 0; at < watched.length; at += 3) {
      const place = this.places.get(watched[at] as number);
      if (place === undefined) continue;
      const live = watched[at + 1] as number;
      this.live[place] = live;
      this.watched[place] = live + (watched[at + 2] as number);
    }
  }

  /**
   * Returns the index of a recorded state: two slots per state, beginning with state -1. The second slot is for
   * students who watched live.
   */
  stateOf(place: number): number {
    return ((this.status[place] as number) + 1) * 2 + ((this.live[place] as number) > 0 ? 1 : 0);
  }

  watchedOf(place: number): number {
    return this.watched[place] as number;
  }
}

const numbersOf = (list: string): number[] => JSON.parse(`[${list}]`);

// ---- queries ---------------------------------------------------------------------------------------

const membersOf = (db: Database, { classId, listed }: MemberScope) =>
  db
    .selectFrom('class_student as member')
    .where('member.class_id', '=', classId)
    .$if(listed !== undefined, (query) => query.where('member.id', 'in', inJsonIds(db, listed ?? '')));

/** Selects the enrolments of members: the current or latest one, and earlier ones. */
const staysOf = (db: Database, whose: MemberScope) =>
  membersOf(db, whose)
    .select(['member.id', 'member.student_id', 'member.joined_at as from', 'member.left_at as until'])
    .unionAll(
      membersOf(db, whose)
        .innerJoin('class_earlier_stay as earlier', (join) =>
          join.onRef('earlier.class_id', '=', 'member.class_id').onRef('earlier.student_id', '=', 'member.student_id'),
        )
        .select(['member.id', 'member.student_id', 'earlier.joined_at as from', 'earlier.left_at as until']),
    );

const periodsOfClass = (db: Database, { classId }: { classId: number }) =>
  db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .innerJoin('period', 'period.course_id', 'course.id')
    .select(['period.id as period_id', 'period.start_play', 'period.total_time'])
    .select(['course.id as course_id', 'course.course_type', isRollCallDone('class_course.class_id').as('called')])
    .where('class_course.class_id', '=', classId)
    .execute();

const staysOfListed = (db: Database, whose: Required<MemberScope>) => staysOf(db, whose).execute();

/** Reads the recorded states of each student as a flat list: period id, state, period id, state … */
const marksOf = (db: Database, whose: Required<MemberScope>) =>
  db
    .selectFrom('attendance')
    .select('student_id')
    .select(sql<string>`string_agg(period_id || ',' || op_status, ',')`.as('marked'))
    .where('class_id', '=', whose.classId)
    .where('student_id', 'in', membersOf(db, whose).select('member.student_id'))
    .groupBy('student_id')
    .execute();

/** Reads the study records of each student as a flat list: period id, live seconds, playback seconds … */
const studiesOf = (db: Database, whose: Required<MemberScope>) =>
  db
    .selectFrom('study_record')
    .select('student_id')
    .select(sql<string>`string_agg(period_id || ',' || live_seconds || ',' || replay_seconds, ',')`.as('watched'))
    .where('student_id', 'in', membersOf(db, whose).select('member.student_id'))
    .groupBy('student_id')
    .execute();

// ---- by period -------------------------------------------------------------------------------------

/**
 * Computes the figures of each period over all students of a class. The records of a period are read as one row and
 * joined with the students in this file.
 */
export async function attendanceByPeriod(
  db: Database,
  { classId, periods }: { classId: number; periods: readonly LessonTimes[] },
  now: number,
): Promise<Map<number, AttendanceFigures>> {
  if (periods.length === 0) return new Map();
  // Runs one statement, however many students there are: it returns a row per period, and a row with all enrolments.
  const lines = await linesInPeriods(db, classId, periods).unionAll(staysLine(db, classId)).execute();
  const lineOf = new Map(lines.map(({ id, marked, watched }) => [id, { marked, watched }]));
  const membersStays = staysIn(numbersOf(lineOf.get(ofStays)?.marked ?? ''));
  const members = [...membersStays.values()];
  const records = new Records([...membersStays.keys()]);
  return new Map(
    periods.map(({ id, course_type, start_play, total_time }) => {
      const sum = { ...noAttendance };
      const categories = categoriesOf(course_type);
      const { marked, watched } = lineOf.get(id) ?? {};
      const marks = numbersOf(marked ?? '');
      records.fill(marks, numbersOf(watched ?? ''));
      const lesson = lessonState({ start_play, total_time, called: isMarked(marks) ? 1 : 0 }, now);
      for (const [place, its] of members.entries())
        if (isExpected(its, start_play)) addAttendance(sum, categories[records.stateOf(place) * lessonStates + lesson]);
      return [id, sum];
    }),
  );
}

/** True if some student in a flat list (student id, state, student id, state …) is recorded as present or absent. */
const isMarked = (marks: readonly number[]): boolean =>
  marks.some((status, at) => at % 2 === 1 && (markedStatuses as readonly number[]).includes(status));

interface LessonTimes {
  id: number;
  course_type: number;
  start_play: number;
  total_time: number;
}

/** Reads the recorded states of each period's students, and its live viewers in the format of `studiesOf`. */
function linesInPeriods(db: Database, classId: number, periods: readonly LessonTimes[]) {
  // Reads viewers only if a period is not face-to-face, where watching live does not count.
  const watchable = periods.some(({ course_type }) => course_type !== offlineCourse);
  const marks = db
    .selectFrom('attendance')
    .select(sql<string | null>`string_agg(student_id || ',' || op_status, ',')`.as('marked'))
    .where('class_id', '=', classId)
    .where('period_id', '=', sql.ref<number>('period.id'));
  const watchers = db
    .selectFrom('study_record')
    .select(sql<string | null>`string_agg(student_id || ',' || live_seconds || ',0', ',')`.as('watched'))
    .where('student_id', 'in', membersOf(db, { classId }).select('member.student_id'))
    .where('period_id', '=', sql.ref<number>('period.id'))
    .where('live_seconds', '>', 0);
  return db
    .selectFrom('period')
    .select('period.id')
    .select([marks.as('marked'), watchable ? watchers.as('watched') : sql<string | null>`null`.as('watched')])
    .where(
      'period.id',
      'in',
      periods.map(({ id }) => id),
    );
}

/** Used in place of a period id in the row that has the enrolments. */
const ofStays = 0;
/** Marks a current enrolment, which has no end yet. */
const present = -1;

const staysLine = (db: Database, classId: number) =>
  db
    .selectFrom(staysOf(db, { classId }).as('stay'))
    .select([
      sql<number>`${sql.lit(ofStays)}`.as('id'),
      sql<
        string | null
      >`string_agg(stay.student_id || ',' || stay."from" || ',' || coalesce(stay.until, ${sql.lit(present)}), ',')`.as(
        'marked',
      ),
      sql<string | null>`null`.as('watched'),
    ]);

/** Groups enrolments by student. */
function staysIn(numbers: readonly number[]): Map<number, Pick<Stay, 'from' | 'until'>[]> {
  const byStudent = new Map<number, Pick<Stay, 'from' | 'until'>[]>();
  for (let at = 0; at < numbers.length; at += 3) {
    const [student = 0, from = 0, until = present] = numbers.slice(at, at + 3);
    const stay = { from, until: until === present ? null : until };
    const known = byStudent.get(student);
    if (known) known.push(stay);
    else byStudent.set(student, [stay]);
  }
  return byStudent;
}
