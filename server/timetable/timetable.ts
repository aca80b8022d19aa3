/** Turns the weekly rules of a timetable into periods and lessons, day by day, and stages them as an import. */

import { termChoices } from '#server/catalogue/terms.ts';
import { classTypes, missingCourse } from '#server/classes/rules.ts';
import { administeredClasses } from '#server/classes/visible.ts';
import { courseKindOf, weekdayName } from '#server/courses/rules.ts';
import { isHeldOn, mondayOf, type TermDay, termDays, weeksOf } from '#server/courses/term-days.ts';
import { administeredCourses, administeredLecturers } from '#server/courses/visible.ts';
import { internalReference, storeInternalImport } from '#server/import/internal-import.ts';
import { timetableWeeks } from '#server/import/rules.ts';
import { type Source, sourceOfSchool } from '#server/import/source.ts';
import type { RecordKind, Reference, SourceRecord, Value } from '#server/import/source-record.ts';
import type { ImportRequest, StartedImport } from '#server/import/store-upload.ts';
import { visibleImports } from '#server/import/visible.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { openSchoolsOf, schoolChoices } from '#server/school/admin-schools.ts';
import { dayOf, momentOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { groupRows } from '#server/school/importer.ts';
import { untaughtPeriods } from '#server/sessions/planning.ts';
import { lessonMessages } from '#server/sessions/rules.ts';
import { holidayPlanFrom } from '#server/settings/holidays.ts';
import { holidaysMissingText, yearsWithoutHolidays } from '#server/settings/rules.ts';
import { type CompleteRule, CompleteTimetable, type TimetableOptions, type WrittenTimetable } from './contract.ts';
import { duplicateRuleMessage, missingTimetable, timetableMessages } from './rules.ts';

/** All timetables of a school share one import source, so that a later timetable replaces an earlier one. */
const sourceOf = (schoolId: number) => sourceOfSchool(`课表（学校${schoolId}）`, schoolId);

/**
 * Target of a rule: `lesson/12` for a group class, `period/5` for all classes of a course, `class/3-5` for a state-school
 * class that has the course on its own.
 */
const targetOf = (
  { class_id, course_id }: { class_id: number; course_id: number },
  stateClasses: ReadonlyMap<number, string>,
): string => {
  if (class_id === 0) return `period/${course_id}`;
  return stateClasses.has(class_id) ? ownCourseId(class_id, course_id) : `lesson/${class_id}`;
};

/** External id of the course that a timetable makes for one class: a child of the course, which this class alone takes. */
const ownCourseId = (classId: number, courseId: number): string => `class/${classId}-${courseId}`;

/**
 * External id of a lesson in the import source: target, day and start. A later timetable finds the lesson by this id.
 */
const slotId = (target: string, day: string, start: string): string => `${target}/${day} ${start}`;

/** Parses an id made by `slotId`; undefined for any other id. */
function slotOf(sourceId: string): { target: string; day: string } | undefined {
  const parts = /^(lesson\/\d+|period\/\d+|class\/\d+-\d+)\/(\d{4}-\d{2}-\d{2}) \d{2}:\d{2}$/.exec(sourceId);
  return parts ? { target: parts[1] as string, day: parts[2] as string } : undefined;
}

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
  const { closed, worked } =
    output.holidays === 1 ? await holidayPlanFrom(db, monday) : { closed: [], worked: new Map<string, number>() };
  const days = termDays({ ...output, closed: new Set([...closed, ...output.skip]), worked }).filter(
    ({ day }) => day >= from,
  );

  const source = sourceOf(output.school_id);
  const known = await createdRecords(db, source, ['period', 'lesson']);
  const { stateClasses } = facts;
  const slots = new Map<string, { rule: CompleteRule; at: number; day: TermDay }>();
  for (const day of days) {
    for (const [at, rule] of output.rules.entries()) {
      if (!isHeldOn(rule, day)) continue;
      const id = slotId(targetOf(rule, stateClasses), day.day, rule.start);
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
  const own = await ownCourses(db, output, facts, await createdRecords(db, source, ['course']));
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
  const targets = new Set(rulesNowAndBefore.map((rule) => targetOf(rule, stateClasses)));
  for (const id of known.keys()) {
    const slot = slotOf(id);
    if (!slot || slots.has(id) || slot.day < from || !targets.has(slot.target)) continue;
    const kind: RecordKind = slot.target.startsWith('lesson/') ? 'lesson' : 'period';
    intended.push({ kind, sourceId: id, fields: {}, state: 'gone', place: { file: output.name, row: 0 } });
  }
  if (intended.length === 0) return invalid({ first_day: [timetableMessages.noDays] });
  const without = yearsWithoutHolidays(
    [...slots.values()].map(({ day }) => day.day),
    { closed },
  );
  const unskipped = { file: output.name, row: 0, field: '节假日', message: holidaysMissingText(without) };
  return storeInternalImport(context, {
    source,
    name: output.name,
    plan: { timetable: written },
    doubted: output.holidays === 1 && without.length > 0 ? [unskipped] : [],
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

/** Returns the records that timetables of this school have created and that still exist, by external id. */
async function createdRecords(
  db: Database,
  { name, owner }: Source,
  ofKinds: readonly RecordKind[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('external_id')
    .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
    .select(['external_id.sourced_id', 'external_id.record'])
    .where('import_source.name', '=', name)
    .where('import_source.owner', '=', owner)
    .where('external_id.kind', 'in', ofKinds)
    .where('external_id.state', '=', 'active')
    .execute();
  return new Map(rows.map(({ sourced_id, record }) => [sourced_id, Number(record)]));
}

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
  const { stateClasses } = facts;
  const begins = momentOf(day.day, start, timezone);
  const fields: Record<string, Value> = {
    course_id:
      class_id === 0
        ? facts.refer('course', course_id)
        : { kind: 'course', sourceId: ownCourseId(class_id, course_id), name: facts.ownCourseTitle(rule) },
    lecturer_id: lecturer_id === 0 ? null : facts.refer('staff', lecturer_id),
    start_play: begins,
    minutes: (momentOf(day.day, end, timezone) - begins) / 60,
  };
  // Sets title and entry time only when a record is created, so that later edits of them are no conflict.
  if (!isKnown) {
    const target = targetOf(rule, stateClasses);
    const several =
      rules.filter((other) => targetOf(other, stateClasses) === target && isHeldOn(other, day)).length > 1;
    const instead = day.isWorkedInstead ? '（调休）' : '';
    fields.title = `第${day.week}周 ${weekdayName(day.day)}${several ? ` ${start}` : ''}${instead}`;
    fields.advance_time = advance;
  }
  return { kind: 'period', fields };
}

/**
 * Returns the courses of the state-school classes that rules name one by one, and that the classes take them. `made`:
 * courses that earlier timetables made, which stay as they are.
 */
async function ownCourses(
  db: Database,
  { school_id, rules }: CompleteTimetable,
  { stateClasses, refer, ownCourseTitle }: Facts,
  made: ReadonlyMap<string, number>,
) {
  const records: (SlotRecord & { sourceId: string; at: number })[] = [];
  const known = new Map<string, { kind: RecordKind; id: number }>();
  const recall = (kind: RecordKind, id: number) => {
    known.set(internalReference(kind, id, '').sourceId, { kind, id });
    return refer(kind, id);
  };
  const own = rules
    .map((rule, at) => ({ rule, at, sourceId: ownCourseId(rule.class_id, rule.course_id) }))
    .filter(({ rule, sourceId }, at, all) => {
      const isFirst = all.findIndex((one) => one.sourceId === sourceId) === at;
      return stateClasses.has(rule.class_id) && isFirst;
    });
  const courseIds = own.map(({ rule }) => rule.course_id);
  const courses = await db
    .selectFrom('course')
    .selectAll()
    .where('id', 'in', [0, ...courseIds])
    .execute();
  for (const { rule, at, sourceId } of own) {
    const course = courses.find(({ id }) => id === rule.course_id);
    if (course && !made.has(sourceId)) {
      const { grade_id, subject_id, classify_id } = course;
      const fields: Record<string, Value> = {
        title: ownCourseTitle(rule),
        course_type: courseKindOf(course.course_type),
        school_id: recall('school', school_id),
        parent_id: recall('course', course.parent_id ?? course.id),
        cover_of_id: recall('course', course.id),
        ...(grade_id !== null && { grade_id: recall('grade', grade_id) }),
        ...(subject_id !== null && { subject_id: recall('subject', subject_id) }),
        ...(classify_id !== null && { classify_id: recall('category', classify_id) }),
      };
      records.push({ kind: 'course', sourceId, fields, at });
    }
    records.push({
      kind: 'class_course',
      sourceId: `${sourceId}/taken`,
      fields: { class_id: refer('class', rule.class_id), course_id: { kind: 'course', sourceId } },
      at,
    });
  }
  return { records, known: [...known.values()] };
}

// ---- choices of the form ----------------------------------------------------------------------------

interface Facts {
  isSchool: boolean;
  /** Targets that rules can have: `class:course` for classes, `0:course` for courses. */
  targets: ReadonlySet<string>;
  /** Names of the state-school classes that take courses, by id. */
  stateClasses: ReadonlyMap<number, string>;
  /** Title of the course that a rule's class has on its own. */
  ownCourseTitle(rule: { class_id: number; course_id: number }): string;
  lecturers: ReadonlySet<number>;
  rooms: ReadonlySet<number>;
  refer(kind: RecordKind, id: number): Reference;
}

async function factsOf({ db, actor, now }: ImportRequest, { school_id }: { school_id: number }): Promise<Facts> {
  const [isSchool, offered] = await Promise.all([
    openSchoolsOf(db, actor).where('school.id', '=', school_id).executeTakeFirst(),
    formChoices({ db, actor, now }, school_id),
  ]);
  const names = new Map<string, string>([
    ...offered.courses.map(({ id, title }): [string, string] => [`course ${id}`, title]),
    ...offered.classes.map(({ id, name }): [string, string] => [`group_class ${id}`, name]),
    ...offered.stateClasses.map(({ id, name }): [string, string] => [`class ${id}`, name]),
    ...offered.lecturers.map(({ id, name }): [string, string] => [`staff ${id}`, name]),
    ...offered.rooms.map(({ id, name }): [string, string] => [`room ${id}`, name]),
  ]);
  return {
    isSchool: isSchool !== undefined,
    targets: new Set([
      ...offered.courses.map(({ id }) => `0:${id}`),
      ...offered.classes.map(({ id, course_id }) => `${id}:${course_id}`),
      ...offered.stateClasses.map(({ id, course_id }) => `${id}:${course_id}`),
    ]),
    stateClasses: new Map(offered.stateClasses.map(({ id, name }) => [id, name])),
    ownCourseTitle: ({ class_id, course_id }) => {
      const row = offered.stateClasses.find((one) => one.id === class_id && one.course_id === course_id);
      return row ? `${row.title}（${row.name}）` : '';
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

/**
 * Returns the choices of the form. Targets are courses that classes take or that have no child courses, each course of
 * the group and one-to-one classes that have not ended, and each course of the state-school classes. The target of
 * a class is the parent course, not the class's own course below it.
 */
async function formChoices({ db, actor, now }: Pick<ImportRequest, 'db' | 'actor' | 'now'>, schoolId: number) {
  const [courses, classes, stateClasses, lecturers, rooms] = await Promise.all([
    administeredCourses(db, actor)
      .select(['course.id', 'course.title'])
      .where('course.school_id', '=', schoolId)
      .where('course.put_away_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('class_course')
              .select('class_course.class_id')
              .whereRef('class_course.course_id', '=', 'course.id'),
          ),
          eb.not(
            eb.exists(
              eb.selectFrom('course as child').select('child.id').whereRef('child.parent_id', '=', 'course.id'),
            ),
          ),
        ]),
      )
      .orderBy('course.title')
      .orderBy('course.id')
      .execute(),
    administeredClasses(db, actor)
      .innerJoin('class_course', 'class_course.class_id', 'class.id')
      .innerJoin('course', 'course.id', 'class_course.course_id')
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select(['class.id', 'class.name', 'class_course.course_id', 'course.title'])
      .where('class.school_id', '=', schoolId)
      .where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne])
      .where((eb) => eb.or([eb('team_class.ended_at', 'is', null), eb('team_class.ended_at', '>', now)]))
      .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
      .orderBy('class.name')
      .orderBy('class.id')
      .orderBy('course.title')
      .execute(),
    administeredClasses(db, actor)
      .innerJoin('class_course', 'class_course.class_id', 'class.id')
      .innerJoin('course', 'course.id', 'class_course.course_id')
      .select(['class.id', 'class.name', 'class_course.course_id', 'course.title'])
      .where('class.school_id', '=', schoolId)
      .where('course.school_id', '=', schoolId)
      .where('course.put_away_at', 'is', null)
      .where('class.class_type', '=', classTypes.stateSchool)
      .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('class_course as also')
              .select('also.course_id')
              .whereRef('also.class_id', '=', 'class.id')
              .whereRef('also.course_id', '=', 'course.parent_id'),
          ),
        ),
      )
      .orderBy('class.name')
      .orderBy('class.id')
      .orderBy('course.title')
      .execute(),
    administeredLecturers(db, actor)
      .select(['staff.id', 'staff.real_name as name'])
      .orderBy('staff.real_name')
      .orderBy('staff.id')
      .execute(),
    db
      .selectFrom('room')
      .select(['room.id', 'room.name'])
      .where('room.school_id', '=', schoolId)
      .where('room.put_away_at', 'is', null)
      .orderBy('room.name')
      .orderBy('room.id')
      .execute(),
  ]);
  return { courses, classes, stateClasses, lecturers, rooms };
}

/** Maximum targets that are listed; a search by name finds the others. */
const targetsOffered = 200;

/** Returns the choices of the form. 404: there is no timetable `from`. */
export async function timetableOptionsOf(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { school_id, from, name }: { school_id?: number | undefined; from?: number | undefined; name?: string | undefined },
): Promise<TimetableOptions | Refusal> {
  const plan = from === undefined ? null : await planOf({ db, actor }, from);
  if (isRefusal(plan)) return plan;
  const schools = await schoolChoices(db, actor);
  const requestedSchoolId = school_id ?? plan?.school_id;
  const school = schools.find(({ id }) => id === requestedSchoolId) ?? schools[0];
  const nothing = { targets: [], more: 0, lecturers: [], rooms: [], terms: [], plan: null, latest: 0 };
  if (!school) return { schools, school_id: 0, ...nothing };
  const terms = (await termChoices(db)).filter(({ first_day }) => first_day !== '');
  const { courses, classes, stateClasses, lecturers, rooms } = await formChoices({ db, actor, now }, school.id);
  const latest = await visibleImports(db, actor)
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .select('import.id')
    .where('import_source.name', '=', sourceOf(school.id).name)
    .where('import_source.owner', '=', sourceOf(school.id).owner)
    .where('import.state', '=', 'applied')
    .orderBy('import.id', 'desc')
    .executeTakeFirst();
  const targets = [
    ...courses.map(({ id, title }) => ({ class_id: 0, course_id: id, name: title })),
    ...[...classes, ...stateClasses].map((row) => ({
      class_id: row.id,
      course_id: row.course_id,
      name: `${row.name}：${row.title}`,
    })),
  ];
  const isOfPlan = ({ class_id, course_id }: { class_id: number; course_id: number }) =>
    plan?.rules.some((rule) => (rule.class_id ?? 0) === class_id && rule.course_id === course_id) ?? false;
  const named = targets.filter((one) => name === undefined || one.name.includes(name));
  const shown = new Set(named.slice(0, targetsOffered));
  const offered = targets.filter((one) => shown.has(one) || isOfPlan(one));
  return {
    schools,
    school_id: school.id,
    targets: offered,
    more: Math.max(0, named.length - targetsOffered),
    lecturers,
    rooms,
    terms: terms.map(({ id, name: called, ...days }) => ({
      id,
      name: called,
      first_day: days.first_day,
      weeks: Math.min(weeksOf(days), timetableWeeks),
    })),
    plan: plan?.school_id === school.id ? plan : null,
    latest: latest?.id ?? 0,
  };
}

/** Returns the form data from which a timetable was made. 404: no such timetable. */
async function planOf(
  { db, actor }: Pick<ImportRequest, 'db' | 'actor'>,
  id: number,
): Promise<WrittenTimetable | Refusal> {
  const found = await visibleImports(db, actor).select('import.plan').where('import.id', '=', id).executeTakeFirst();
  const plan = found?.plan ? (JSON.parse(found.plan) as { timetable?: WrittenTimetable }) : {};
  return plan.timetable ?? missing(missingTimetable);
}
