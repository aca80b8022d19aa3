/** Rolls a school over to the next term or year: stages the changes of classes, students and courses as an import. */

import { termChoices } from '#server/catalogue/terms.ts';
import { missingClass, missingCourse } from '#server/classes/rules.ts';
import { courseKindOf, shiftDays } from '#server/courses/rules.ts';
import { createdRecords, internalReference, storeInternalImport } from '#server/import/internal-import.ts';
import type { RecordKind, Reference, Remark, SourceRecord, Value } from '#server/import/source-record.ts';
import type { ImportRequest, StartedImport } from '#server/import/store-upload.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { groupRows } from '#server/school/importer.ts';
import { holidayPlanFrom } from '#server/settings/holidays.ts';
import { holidayGaps, holidayGapsText } from '#server/settings/rules.ts';
import { type CompleteRollOver, CompleteRollOver as RollOverSchema, type WrittenRollOver } from './contract.ts';
import {
  ambiguousNameMessage,
  type ClassFate,
  disabledLecturerWarning,
  gradeOfCopy,
  nextClassName,
  notInClassMessage,
  promotedBeforeMessage,
  rollOverMessages,
} from './rules.ts';
import {
  type CopiedCourse,
  type CopiedPeriod,
  classesTakingCourses,
  coursesOfSchool,
  type Member,
  type Members,
  membersOf,
  periodsOf,
  type RunningClass,
  recentPromotions,
  rolloverSource,
  runningClasses,
  type StoredPlan,
  termsByClass,
} from './stored-data.ts';

/** Stages a rollover as an import. 422: errors by field. */
export async function stageRollover(
  context: ImportRequest,
  written: WrittenRollOver,
): Promise<StartedImport | Refusal> {
  const { db, actor, now, settings } = context;
  const { output, errors } = validateComplete(RollOverSchema, written);
  if (!output) return invalid(errors);
  const school = await openSchoolsOf(db, actor).where('school.id', '=', output.school_id).executeTakeFirst();
  if (!school) return invalid({ school_id: [rollOverMessages.noSchool] });
  const classes = await runningClasses({ db, actor, now }, output.school_id);
  const courses = await coursesOfSchool({ db, actor }, output.school_id);
  const members = await membersOf(
    db,
    classes.map(({ id }) => id),
  );
  const grades = await db.selectFrom('grade').select(['id', 'name']).where('put_away_at', 'is', null).execute();
  const term =
    output.term_id === undefined ? undefined : (await termChoices(db)).find(({ id }) => id === output.term_id);
  const firstDay = output.first_day ?? (term?.first_day || undefined);
  const plan = planOf(output, {
    classes,
    courses,
    members,
    grades,
    promoted: await recentPromotions({ db, now }, output.school_id),
    copied: await createdRecords(db, rolloverSource(output.school_id), ['course']),
    firstDay,
  });
  if (Object.keys(plan.errors).length > 0) return invalid(plan.errors);
  if (output.term_id !== undefined && !term) return invalid({ term_id: [rollOverMessages.noTerm] });
  if (plan.copies.length > 0 && firstDay === undefined) return invalid({ first_day: [rollOverMessages.noFirstDay] });
  const termsOf = await termsByClass(db, term ? plan.fates.map(({ theClass }) => theClass.id) : []);

  const { timezone } = settings;
  const today = dayOf(now, timezone);
  const made = new Building(`${today} 学期更替`);
  const again = plan.promotedBefore.map(({ name, at }) => ({ name, day: dayOf(at, timezone) }));
  if (again.length > 0) made.doubt('班级', promotedBeforeMessage(again), 0);
  for (const { theClass, fate, name, grade_id, kept: repeating, target } of plan.fates) {
    const reference = made.refer('class', theClass.id, theClass.name);
    // The import replaces all terms of a class, so its earlier terms are listed again.
    const terms = term && fate !== 'graduate' ? [...(termsOf.get(theClass.id) ?? []), term.id] : [];
    const changes: Record<string, Value> = {
      ...(fate === 'promote' && { name, grade_id: made.refer('grade', grade_id) }),
      ...(terms.length > 0 && { term_ids: terms.map((id) => made.refer('term', id)) }),
    };
    if (Object.keys(changes).length > 0) made.add('class', reference.sourceId, changes);
    if (fate === 'graduate') made.end('class', reference.sourceId);
    for (const student of repeating) {
      const student_id = made.refer('student', student.id, student.nickname);
      made.leave(theClass.id, student.id, { class_id: reference, student_id });
      if (target)
        made.join(target.id, student.id, { class_id: made.refer('class', target.id, target.name), student_id });
    }
    if (fate !== 'graduate' || output.disable !== 1) continue;
    for (const student of members.get(theClass.id) ?? []) {
      if (repeating.some(({ id }) => id === student.id)) continue;
      made.end('student', made.refer('student', student.id).sourceId);
    }
  }
  const copied = plan.copies.map(({ course }) => course.id);
  if (copied.length > 0) {
    const around = await holidayPlanFrom(db, firstDay ?? today);
    const skip = [...output.skip, ...around.closed];
    const planned: string[] = [];
    const periods = await periodsOf(db, copied);
    const goingOn = plan.fates.filter(({ fate }) => fate !== 'graduate').map(({ theClass }) => theClass.id);
    const ended = new Set(plan.fates.filter(({ fate }) => fate === 'graduate').map(({ theClass }) => theClass.id));
    const following = output.follow === 1 ? await classesTakingCourses(db, copied) : [];
    for (const { course, title } of plan.copies) {
      const copy = copyKey(course.id, firstDay);
      const grade = gradeOfCopy({ title: course.title, gradeName: course.grade_name ?? '', newTitle: title }, grades);
      made.copy({ ...course, grade_id: grade?.id ?? course.grade_id }, { copy, title, schoolId: output.school_id });
      const coursePeriods = periods.filter(({ course_id }) => course_id === course.id);
      const left = coursePeriods.filter(({ disabled_at }) => disabled_at !== null);
      for (const [name, those] of groupRows(left, ({ real_name }) => real_name ?? ''))
        made.doubt('讲师', disabledLecturerWarning(title, name, those.length));
      const days = shiftDays(
        coursePeriods.map(({ start_play }) => dayOf(start_play, timezone)),
        firstDay ?? today,
        skip,
      );
      planned.push(...days);
      for (const [at, period] of coursePeriods.entries()) {
        const starts = momentOf(days[at] as string, timeOf(period.start_play, timezone), timezone);
        made.period(period, { copy, title, starts });
      }
      for (const { class_id, name } of following.filter(({ course_id }) => course_id === course.id)) {
        if (ended.has(class_id) || !(goingOn.includes(class_id) || !classes.some(({ id }) => id === class_id)))
          continue;
        made.add('class_course', `class-${class_id}/${copy}`, {
          class_id: made.refer('class', class_id, name),
          course_id: { kind: 'course', sourceId: copy, name: title },
        });
      }
    }
    const unskipped = holidayGapsText(holidayGaps(planned, around));
    if (unskipped !== '') made.doubt('节假日', unskipped, 0);
  }
  if (made.intended.length === 0)
    return invalid({ form: [again.length > 0 ? promotedBeforeMessage(again) : rollOverMessages.nothing] });
  return storeInternalImport(context, {
    source: rolloverSource(output.school_id),
    name: `学期更替 ${today}`,
    plan: {
      rollOver: written,
      promoted: plan.fates.flatMap(({ theClass, fate }) => (fate === 'promote' ? [theClass.id] : [])),
    } satisfies StoredPlan,
    intended: made.intended,
    known: made.known,
    members: made.members,
    doubted: made.doubted,
  });
}

/** Collects the records of the import. */
class Building {
  readonly intended: SourceRecord[] = [];
  readonly known: { kind: RecordKind; id: number }[] = [];
  readonly members: { classId: number; studentId: number }[] = [];
  readonly doubted: Remark[] = [];
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Returns a reference to a record that exists already. */
  refer(kind: RecordKind, id: number, name = ''): Reference {
    this.known.push({ kind, id });
    return internalReference(kind, id, name);
  }

  add(kind: RecordKind, sourceId: string, fields: Record<string, Value>, state: 'active' | 'gone' = 'active'): void {
    this.intended.push({
      kind,
      sourceId,
      fields,
      state,
      place: { file: this.file, row: this.intended.length + 1 },
    });
  }

  end(kind: RecordKind, sourceId: string): void {
    this.add(kind, sourceId, {}, 'gone');
  }

  leave(classId: number, studentId: number, fields: Record<string, Value>): void {
    this.members.push({ classId, studentId });
    this.add('membership', `class-${classId}/student-${studentId}`, fields, 'gone');
  }

  join(classId: number, studentId: number, fields: Record<string, Value>): void {
    this.add('membership', `class-${classId}/student-${studentId}`, fields);
  }

  /** Adds a warning to the row that was added last; with `row` 0 to the whole plan. */
  doubt(field: string, message: string, row = this.intended.length): void {
    this.doubted.push({ file: this.file, row, field, message });
  }

  copy(course: CopiedCourse, { copy, title, schoolId }: { copy: string; title: string; schoolId: number }): void {
    const of = (kind: RecordKind, field: string, id: number | null): Record<string, Value> =>
      id === null ? {} : { [field]: this.refer(kind, id) };
    this.add('course', copy, {
      title,
      course_type: courseKindOf(course.course_type),
      school_id: this.refer('school', schoolId),
      ...of('category', 'classify_id', course.classify_id),
      ...of('grade', 'grade_id', course.grade_id),
      ...of('subject', 'subject_id', course.subject_id),
      ...of('course', 'parent_id', course.parent_id),
      introduction: course.introduction,
      course_extend: course.course_extend,
      ...of('course', 'cover_of_id', course.id),
    });
  }

  period(period: CopiedPeriod, { copy, title, starts }: { copy: string; title: string; starts: number }): void {
    this.add('period', `period-${period.id}/${copy}`, {
      course_id: { kind: 'course', sourceId: copy, name: title },
      title: period.title,
      ...(period.chapter_title && { chapter_title: period.chapter_title }),
      periods_type: courseKindOf(period.periods_type),
      // Leaves out the lecturer of a period if the lecturer is disabled.
      ...(period.lecturer_id !== null &&
        period.disabled_at === null && {
          lecturer_id: this.refer('staff', period.lecturer_id, period.real_name ?? ''),
        }),
      start_play: starts,
      minutes: Math.max(5, Math.round(period.total_time / 60)),
      advance_time: period.advance_time,
    });
  }
}

// ---- planned changes --------------------------------------------------------------------------------

interface PlannedClass {
  theClass: RunningClass;
  fate: ClassFate;
  name: string;
  grade_id: number;
  kept: Member[];
  target: RunningClass | undefined;
}

interface Stored {
  classes: RunningClass[];
  courses: CopiedCourse[];
  members: Members;
  grades: { id: number; name: string }[];
  promoted: Awaited<ReturnType<typeof recentPromotions>>;
  /** External ids of courses that were copied already. */
  copied: ReadonlyMap<string, number>;
  firstDay: string | undefined;
}

interface Plan {
  fates: PlannedClass[];
  copies: { course: CopiedCourse; title: string }[];
  errors: FieldErrors;
  /** Classes that stay although they were to be promoted. `at`: seconds of the earlier promotion. */
  promotedBefore: { name: string; at: number }[];
}

/** External id of a copy. The same course copied to the same day is the same copy. */
const copyKey = (courseId: number, firstDay: string | undefined): string => `course-${courseId}/${firstDay}`;

function planOf(
  asked: CompleteRollOver,
  { classes, courses, members, grades, promoted, copied, firstDay }: Stored,
): Plan {
  const errors: FieldErrors = {};
  const promotedBefore: Plan['promotedBefore'] = [];
  const gradeOf = (id: number) => grades.find((grade) => grade.id === id);
  for (const [at, { fate, next_grade_id }] of asked.grades.entries())
    if (fate === 'promote' && !gradeOf(next_grade_id))
      errors[`grades.${at}.next_grade_id`] = [rollOverMessages.noGrade];
  const planOfGrade = (theClass: RunningClass) =>
    asked.grades.find(({ grade_id }) => grade_id === (theClass.grade_id ?? 0));
  const decided = (theClass: RunningClass, own?: CompleteRollOver['classes'][number]) => {
    const grade = planOfGrade(theClass);
    const fate = own?.fate ?? grade?.fate ?? 'stay';
    // A choice for the class has its own grade and name; a choice for its grade has only a name, if one was typed.
    const next = own?.fate === undefined ? (grade?.next_grade_id ?? 0) : own.grade_id;
    const called = nextClassName(theClass.name, theClass.grade_name ?? '', gradeOf(next)?.name ?? '');
    // After a promotion the class belongs to the next grade, whose choice was not meant for it.
    const isPromotedAgain = fate === 'promote' || (fate === 'graduate' && own?.fate === undefined);
    const before = isPromotedAgain ? promoted.get(theClass.id) : undefined;
    if (before) promotedBefore.push({ name: theClass.name, at: before.appliedAt });
    return { fate: before ? ('stay' as const) : fate, grade_id: next, name: own?.name || called };
  };
  const named = asked.classes.map((one) => {
    const theClass = classes.find(({ id }) => id === one.class_id);
    return { one, theClass, chosen: theClass && decided(theClass, one) };
  });
  const unnamed = classes
    .filter((theClass) => planOfGrade(theClass) && !asked.classes.some(({ class_id }) => class_id === theClass.id))
    .map((theClass) => ({ theClass, ...decided(theClass), kept: [], target: undefined }));
  const ending = new Set([
    ...named.flatMap(({ theClass, chosen }) => (theClass && chosen?.fate === 'graduate' ? [theClass.id] : [])),
    ...unnamed.flatMap(({ theClass, fate }) => (fate === 'graduate' ? [theClass.id] : [])),
  ]);
  const fates = named.flatMap(({ one, theClass, chosen }, at): PlannedClass[] => {
    const field = (name: string) => `classes.${at}.${name}`;
    if (!theClass || !chosen) {
      errors[field('class_id')] = [missingClass];
      return [];
    }
    if (one.fate === 'promote' && one.grade_id === theClass.grade_id && chosen.fate === 'promote')
      errors[field('grade_id')] = [rollOverMessages.sameGrade];
    const target = one.kept.length > 0 ? classes.find(({ id }) => id === one.kept_class_id) : undefined;
    if (one.kept.length > 0 && !target) errors[field('kept_class_id')] = [missingClass];
    else if (target && ending.has(target.id)) errors[field('kept_class_id')] = [rollOverMessages.endedTarget];
    const repeating = one.kept.flatMap((name): Member[] => {
      const found = (members.get(theClass.id) ?? []).filter(
        ({ nickname, number, mobile }) => number === name || mobile === name || nickname === name,
      );
      if (found.length === 1) return found;
      errors[field('kept')] ??= [found.length === 0 ? notInClassMessage(name) : ambiguousNameMessage(name)];
      return [];
    });
    return [{ theClass, ...chosen, kept: repeating, target }];
  });
  const titles = new Set(courses.map(({ title }) => title));
  const copies = asked.courses.flatMap(({ course_id, title }, at) => {
    const course = courses.find(({ id }) => id === course_id);
    if (!course) errors[`courses.${at}.course_id`] = [missingCourse];
    else if (titles.has(title) && !copied.has(copyKey(course_id, firstDay)))
      errors[`courses.${at}.title`] = [rollOverMessages.sameTitle];
    titles.add(title);
    return course ? [{ course, title }] : [];
  });
  return { fates: [...fates, ...unnamed], copies, errors, promotedBefore };
}
