/** Turns the weekly rules of a timetable into periods and lessons, day by day, and stages them as an import. */

import { missingCourse } from '#server/classes/rules.ts';
import { ownCourseTitle, weekdayName } from '#server/courses/rules.ts';
import { isHeldOn, mondayOf, type TermDay, termDays } from '#server/courses/term-days.ts';
import { createdRecords, internalReference, storeInternalImport } from '#server/import/internal-import.ts';
import type { RecordKind, Reference, SourceRecord, Value } from '#server/import/source-record.ts';
import type { ImportRequest, StartedImport } from '#server/import/store-upload.ts';
import { invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import { dayOf, momentOf } from '#server/school/calendar.ts';
import { groupRows } from '#server/school/importer.ts';
import { untaughtPeriods } from '#server/sessions/planning.ts';
import { lessonMessages } from '#server/sessions/rules.ts';
import { type HolidayPlan, holidayPlanFrom } from '#server/settings/holidays.ts';
import { holidayGaps, holidayGapsText } from '#server/settings/rules.ts';
import { type CompleteRule, CompleteTimetable, type WrittenTimetable } from './contract.ts';
import { formChoices } from './options.ts';
import { firstTarget, type OwnCourses, ownCourseRecords, ownCoursesOf } from './own-courses.ts';
import { duplicateRuleMessage, timetableMessages } from './rules.ts';
import { planOf, timetableSource } from './stored-timetables.ts';

/**
 * Target of a rule: `lesson/12` for a group class, `period/5` for all classes of a course, `class/3-5` for a state-school
 * class that has the course on its own.
 */
const targetOf = (
  { class_id, course_id }: { class_id: number; course_id: number },
  { stateClasses, own }: Pick<Facts, 'stateClasses' | 'own'>,
): string => {
  if (class_id === 0) return `period/${course_id}`;
  return stateClasses.has(class_id) ? own.idOf({ class_id, course_id }) : `lesson/${class_id}`;
};

/**
 * External id of a lesson in the import source: target, day and start. A later timetable finds the lesson by this id.
 */
const slotId = (target: string, day: string, start: string): string => `${target}/${day} ${start}`;

/** Parses an id made by `slotId`; undefined for any other id. */
function slotOf(sourceId: string): { target: string; day: string } | undefined {
  const parts = /^(lesson\/\d+|period\/\d+|class\/\d+-\d+(?:~\d+)?)\/(\d{4}-\d{2}-\d{2}) \d{2}:\d{2}$/.exec(sourceId);
  return parts ? { target: parts[1] as string, day: parts[2] as string } : undefined;
}

const noHolidays: HolidayPlan = { closed: [], worked: new Map(), yearsByLaw: [] };

/** Stages a timetable as an import. 422: errors by field. 404: there is no timetable `based_on`. */
export async function stageTimetable(
  context: ImportRequest,
  written: WrittenTimetable,
): Promise<StartedImport | Refusal> {
  const { db, actor, now, settings } = context;
  const { output, errors } = validateComplete(CompleteTimetable, written);
  if (!output) return invalid(errors);
  const facts = await factsOf(context, output);
  const faults = ruleFaults(output, facts);
  if (Object.keys(faults).length > 0) return invalid(faults);
  const before = output.based_on === undefined ? undefined : await planOf({ db, actor }, output.based_on);
  if (isRefusal(before)) return before;

  const { timezone } = settings;
  const today = dayOf(now, timezone);
  const monday = mondayOf(output.first_day);
  const from = output.from_day ?? (today > output.first_day ? today : output.first_day);
  const around = output.holidays === 1 ? await holidayPlanFrom(db, monday) : noHolidays;
  const { closed, worked } = around;
  const days = termDays({ ...output, closed: new Set([...closed, ...output.skip]), worked }).filter(
    ({ day }) => day >= from,
  );

  const source = timetableSource(output.school_id);
  const known = await createdRecords(db, source, ['period', 'lesson']);
  const { stateClasses } = facts;
  const slots = new Map<string, { rule: CompleteRule; at: number; day: TermDay }>();
  for (const day of days) {
    for (const [at, rule] of output.rules.entries()) {
      if (!isHeldOn(rule, day)) continue;
      const id = slotId(targetOf(rule, facts), day.day, rule.start);
      const other = slots.get(id);
      if (other) return invalid({ [`rules.${at}.start`]: [duplicateRuleMessage(other.at + 1)] });
      slots.set(id, { rule, at, day });
    }
  }
  const isLesson = ({ class_id }: CompleteRule) => class_id !== 0 && !stateClasses.has(class_id);
  const periods = await periodsInOrder(
    db,
    [...slots].filter(([, { rule }]) => isLesson(rule)),
    { known, from },
  );
  const place = (at: number) => ({ file: output.name, row: at + 1 });
  const own = await ownCourseRecords(db, output, facts);
  const intended: SourceRecord[] = own.records.map((one) => ({ ...one, state: 'active', place: place(one.at) }));
  for (const [id, { rule, at, day }] of slots) {
    const { kind, fields } = isLesson(rule)
      ? lessonOf(rule, day, { facts, period: periods.get(id) })
      : periodOf(rule, day, { facts, timezone, isKnown: known.has(id), rules: output.rules });
    intended.push({ kind, sourceId: id, fields, state: 'active', place: place(at) });
  }
  // Removes lessons that earlier timetables made for the same targets, from that day on, if the new rules no longer
  // contain them.
  const rulesNowAndBefore = [...output.rules, ...(before?.rules.map(toTarget) ?? [])];
  const targets = new Set(rulesNowAndBefore.map((rule) => firstTarget(targetOf(rule, facts))));
  for (const id of known.keys()) {
    const slot = slotOf(id);
    if (!slot || slots.has(id) || slot.day < from || !targets.has(firstTarget(slot.target))) continue;
    const kind: RecordKind = slot.target.startsWith('lesson/') ? 'lesson' : 'period';
    intended.push({ kind, sourceId: id, fields: {}, state: 'gone', place: { file: output.name, row: 0 } });
  }
  if (intended.length === 0) return invalid({ first_day: [timetableMessages.noDays] });
  const planned = [...slots.values()].map(({ day }) => day.day);
  const unskipped = output.holidays === 1 ? holidayGapsText(holidayGaps(planned, around)) : '';
  return storeInternalImport(context, {
    source,
    name: output.name,
    plan: { timetable: written },
    doubted: unskipped === '' ? [] : [{ file: output.name, row: 0, field: '节假日', message: unskipped }],
    intended,
    known: [
      ...output.rules.flatMap(({ class_id, course_id, lecturer_id, room_id }) =>
        [
          { kind: stateClasses.has(class_id) ? ('class' as const) : ('group_class' as const), id: class_id },
          { kind: 'course' as const, id: course_id },
          { kind: 'staff' as const, id: lecturer_id },
          { kind: 'room' as const, id: room_id },
        ].filter(({ id }) => id !== 0),
      ),
      ...[...periods.values()].map(({ id }) => ({ kind: 'period' as const, id })),
      ...own.known,
    ],
  });
}

const toTarget = ({
  class_id = 0,
  course_id = 0,
}: {
  class_id?: number | undefined;
  course_id?: number | undefined;
}) => ({
  class_id,
  course_id,
});

interface Period {
  id: number;
  title: string;
}

/**
 * Assigns the periods of a course to its lessons in order. Skips periods of lessons that stay. If the course has fewer
 * periods than lessons, the last lessons get none.
 */
async function periodsInOrder(
  db: Database,
  slots: readonly (readonly [id: string, slot: { rule: CompleteRule; day: TermDay }])[],
  { known, from }: { known: ReadonlyMap<string, number>; from: string },
): Promise<ReadonlyMap<string, Period>> {
  const replannedLessons = [...known].flatMap(([id, lesson]) => {
    const slot = slotOf(id);
    return slot?.target.startsWith('lesson/') && slot.day >= from ? [lesson] : [];
  });
  const found = new Map<string, Period>();
  for (const of of groupRows(slots, ([, { rule }]) => `${rule.class_id}:${rule.course_id}`).values()) {
    const { class_id: classId = 0, course_id: courseId = 0 } = of[0]?.[1].rule ?? {};
    const periods = await untaughtPeriods(db, { classId, courseId, except: replannedLessons });
    const inOrder = of.toSorted(([, one], [, other]) => (startOf(one) < startOf(other) ? -1 : 1));
    for (const [at, period] of periods.slice(0, inOrder.length).entries()) found.set(inOrder[at]?.[0] ?? '', period);
  }
  return found;
}

const startOf = ({ rule, day }: { rule: CompleteRule; day: TermDay }): string => `${day.day} ${rule.start}`;

// ---- a period or lesson -----------------------------------------------------------------------------

type SlotRecord = { kind: RecordKind; fields: Record<string, Value> };

function lessonOf(
  rule: CompleteRule,
  { day }: TermDay,
  { facts: { refer }, period }: { facts: Facts; period: Period | undefined },
): SlotRecord {
  const { class_id, course_id, lecturer_id, room_id, teaching_mode, start, end } = rule;
  return {
    kind: 'lesson',
    fields: {
      class_id: refer('group_class', class_id),
      course_id: refer('course', course_id),
      lecturer_id: refer('staff', lecturer_id),
      room_id: room_id === 0 ? null : refer('room', room_id),
      ...(period && {
        period_id: internalReference('period', period.id, period.title),
        chapter_title: period.title,
      }),
      teaching_mode,
      day,
      start,
      end,
    },
  };
}

/** Minutes before the start from which students may enter the live room. */
const advance = 10;

function periodOf(
  rule: CompleteRule,
  day: TermDay,
  {
    facts,
    timezone,
    isKnown,
    rules,
  }: { facts: Facts; timezone: string; isKnown: boolean; rules: readonly CompleteRule[] },
): SlotRecord {
  const { class_id, course_id, lecturer_id, start, end } = rule;
  const begins = momentOf(day.day, start, timezone);
  const fields: Record<string, Value> = {
    course_id:
      class_id === 0
        ? facts.refer('course', course_id)
        : { kind: 'course', sourceId: facts.own.idOf(rule), name: facts.ownCourseTitle(rule) },
    lecturer_id: lecturer_id === 0 ? null : facts.refer('staff', lecturer_id),
    start_play: begins,
    minutes: (momentOf(day.day, end, timezone) - begins) / 60,
  };
  // Sets title and entry time only when a record is created, so that later edits of them are no conflict.
  if (!isKnown) {
    const target = targetOf(rule, facts);
    const several = rules.filter((other) => targetOf(other, facts) === target && isHeldOn(other, day)).length > 1;
    const instead = day.isWorkedInstead ? '（调休）' : '';
    fields.title = `第${day.week}周 ${weekdayName(day.day)}${several ? ` ${start}` : ''}${instead}`;
    fields.advance_time = advance;
  }
  return { kind: 'period', fields };
}

// ---- what rules may name ------------------------------------------------------------------------------

interface Facts {
  isSchool: boolean;
  /** Targets that rules can have: `class:course` for classes, `0:course` for courses. */
  targets: ReadonlySet<string>;
  /** Names of the state-school classes that take courses, by id. */
  stateClasses: ReadonlyMap<number, string>;
  own: OwnCourses;
  /** Title of the course that a rule's class has on its own. */
  ownCourseTitle(rule: { class_id: number; course_id: number }): string;
  lecturers: ReadonlySet<number>;
  rooms: ReadonlySet<number>;
  refer(kind: RecordKind, id: number): Reference;
}

async function factsOf({ db, actor, now }: ImportRequest, { school_id }: { school_id: number }): Promise<Facts> {
  const [isSchool, own] = await Promise.all([
    openSchoolsOf(db, actor).where('school.id', '=', school_id).executeTakeFirst(),
    ownCoursesOf(db, school_id),
  ]);
  const offered = await formChoices({ db, actor, now }, school_id, own);
  const names = new Map<string, string>([
    ...offered.stateClasses.map(({ course_id, title }): [string, string] => [`course ${course_id}`, title]),
    ...offered.courses.map(({ id, title }): [string, string] => [`course ${id}`, title]),
    ...offered.classes.map(({ id, name }): [string, string] => [`group_class ${id}`, name]),
    ...offered.stateClasses.map(({ id, name }): [string, string] => [`class ${id}`, name]),
    ...offered.lecturers.map(({ id, name }): [string, string] => [`staff ${id}`, name]),
    ...offered.rooms.map(({ id, name }): [string, string] => [`room ${id}`, name]),
  ]);
  return {
    isSchool: isSchool !== undefined,
    own,
    targets: new Set([
      ...offered.courses.map(({ id }) => `0:${id}`),
      ...offered.classes.map(({ id, course_id }) => `${id}:${course_id}`),
      ...offered.stateClasses.map(({ id, course_id }) => `${id}:${course_id}`),
    ]),
    stateClasses: new Map(offered.stateClasses.map(({ id, name }) => [id, name])),
    ownCourseTitle: ({ class_id, course_id }) => {
      const row = offered.stateClasses.find((one) => one.id === class_id && one.course_id === course_id);
      return row ? ownCourseTitle(row.title, row.name) : '';
    },
    lecturers: new Set(offered.lecturers.map(({ id }) => id)),
    rooms: new Set(offered.rooms.map(({ id }) => id)),
    refer: (kind, id) => internalReference(kind, id, names.get(`${kind} ${id}`) ?? ''),
  };
}

function ruleFaults({ rules }: CompleteTimetable, { isSchool, targets, lecturers, rooms }: Facts): FieldErrors {
  if (!isSchool) return { school_id: [timetableMessages.noSchool] };
  const errors: FieldErrors = {};
  for (const [at, { class_id, course_id, lecturer_id, room_id }] of rules.entries()) {
    if (!targets.has(`${class_id}:${course_id}`)) errors[`rules.${at}.course_id`] = [missingCourse];
    if (lecturer_id !== 0 && !lecturers.has(lecturer_id))
      errors[`rules.${at}.lecturer_id`] = [timetableMessages.noLecturer];
    if (room_id !== 0 && !rooms.has(room_id)) errors[`rules.${at}.room_id`] = [lessonMessages.room];
  }
  return errors;
}
