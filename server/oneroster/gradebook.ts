/**
 * Gradebook in terms of OneRoster: homework and exams are line items with results, the same as in exported packages
 * (`stored-gradebook.ts`).
 */

import { type RawBuilder, sql } from 'kysely';
import { unitsPerPoint } from '#server/grading/rules.ts';
import {
  examItemStart,
  examResultStart,
  gradebookCategories,
  homeworkItemStart,
  homeworkResultStart,
  homeworkScoreStatus,
  openEnd,
} from '#server/import/stored-gradebook.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import {
  activeWhere,
  booleanText,
  classCourseId,
  commonFields,
  concatenateIds,
  idOf,
  isOneOf,
  isOpenClass,
  literal,
  matchesPair,
  type ParentFilter,
  type RecordSource,
  type RequestContext,
  type Resource,
  reachableSchools,
  rowsOf,
  textOf,
} from './record-source.ts';
import { firstTermIdOf } from './sessions.ts';

const [homeworkCategory, examCategory] = gradebookCategories;

export const categories: Resource = {
  one: 'category',
  many: 'categories',
  fields: { ...commonFields, title: 'text' },
  parts: ({ db }) =>
    gradebookCategories.map(({ sourceId, title }) => ({
      rows: rowsOf(db.selectFrom(sql<{ id: string }>`(select ${literal(sourceId)} as id)`.as('category'))),
      columns: {
        sourcedId: sql.ref('category.id'),
        status: literal('active'),
        dateLastModified: sql`0`,
        title: literal(title),
      },
      order: ['category.id'],
      placed: async (id) => (id === sourceId ? sql`1 = 1` : undefined),
    })),
  shape: ({ title }) => ({ title }),
};

/** There are no score scales, because all scores are points. */
export const scoreScales: Resource = {
  one: 'scoreScale',
  many: 'scoreScales',
  fields: { ...commonFields, title: 'text', type: 'text' },
  parts: () => [],
  shape: () => ({}),
};

/** Parses the two numbers in the id of a line item or result. */
const pairIn = (start: string, id: string): [number, number] | undefined => {
  const [, one, other] = id.startsWith(start) ? (/^(\d{1,15})-(\d{1,15})$/.exec(id.slice(start.length)) ?? []) : [];
  return one && other ? [Number(one), Number(other)] : undefined;
};
const pairsIn = (start: string, id: string): [number, number][] => {
  const pair = pairIn(start, id);
  return pair ? [pair] : [];
};

const itemId = (start: string, of: string, theClass: string) =>
  concatenateIds(literal(start), textOf(of), literal('-'), textOf(theClass));

/**
 * SQL for the class of a homework: the class that represents its course if the class takes that course, otherwise the
 * class itself.
 */
const homeworkClass = sql<string>`case when course.id is null then ${idOf('class', 'homework_class.class_id')}
  else ${classCourseId('homework_class.class_id', 'homework.course_id')} end`;

const laterTime = (noted: RawBuilder<unknown>, atFirst: RawBuilder<unknown>) =>
  sql`case when ${noted} > ${atFirst} then ${noted} else ${atFirst} end`;

function homeworkRows({ db, client }: RequestContext, { schoolId, theClass, item }: ParentFilter) {
  const reached = reachableSchools({ db, client });
  return db
    .selectFrom('homework_class')
    .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .leftJoin('class_course', (join) =>
      join
        .onRef('class_course.class_id', '=', 'homework_class.class_id')
        .onRef('class_course.course_id', '=', 'homework.course_id'),
    )
    .leftJoin('course', (join) =>
      join
        .onRef('course.id', '=', 'class_course.course_id')
        .on('course.put_away_at', 'is', null)
        .on('course.school_id', 'in', reached),
    )
    .where('class.school_id', 'in', reached)
    .where('class.class_type', '=', 0)
    .where('homework_class.published_at', 'is not', null)
    .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0))
    .$if(item !== undefined, (query) =>
      item && 'homeworkId' in item
        ? query
            .where('homework_class.homework_id', '=', item.homeworkId)
            .where('homework_class.class_id', '=', item.classId)
        : query.where(sql<boolean>`1 = 0`),
    )
    .$if(theClass !== undefined, (query) => query.where('homework_class.class_id', '=', theClass?.id ?? 0))
    .$if(theClass?.courseId !== undefined, (query) => query.where('course.id', '=', theClass?.courseId ?? 0))
    .$if(theClass !== undefined && theClass.courseId === undefined, (query) => query.where('course.id', 'is', null));
}

/** Condition on `exam`: it is given to the whole school, or to the class of this column. */
const isGivenToClass = (classColumn: string) => sql<boolean>`(exam.by_class = 0 or exists (
  select 1 from exam_class as given
  where given.exam_id = exam.id and given.class_id = ${sql.ref(classColumn)} and given.removed_at is null))`;

/**
 * Selects one row per exam and class. An exam given to classes appears in these. Any other exam appears in every class
 * of each school whose students have submitted it.
 */
function examRows({ db, client }: RequestContext, { schoolId, theClass, item }: ParentFilter) {
  return db
    .selectFrom('exam')
    .innerJoin('exam_figures', 'exam_figures.exam_id', 'exam.id')
    .innerJoin('class', 'class.school_id', 'exam_figures.school_id')
    .where('exam_figures.school_id', 'in', reachableSchools({ db, client }))
    .where('exam_figures.submitted_count', '>', 0)
    .where('class.class_type', '=', 0)
    .where(isGivenToClass('class.id'))
    .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0))
    .$if(item !== undefined, (query) =>
      item && 'examId' in item
        ? query.where('exam.id', '=', item.examId).where('class.id', '=', item.classId)
        : query.where(sql<boolean>`1 = 0`),
    )
    .$if(theClass !== undefined, (query) => query.where('class.id', '=', theClass?.id ?? 0));
}

export const lineItems: Resource = {
  one: 'lineItem',
  many: 'lineItems',
  fields: {
    ...commonFields,
    title: 'text',
    description: 'text',
    assignDate: 'moment',
    dueDate: 'moment',
    'class.sourcedId': 'text',
    'school.sourcedId': 'text',
    'category.sourcedId': 'text',
    'academicSession.sourcedId': 'text',
    resultValueMin: 'number',
    resultValueMax: 'number',
  },
  parts(asked, within) {
    const { now, timezone } = asked;
    const homework: RecordSource = {
      rows: rowsOf(homeworkRows(asked, within)),
      columns: {
        sourcedId: itemId(homeworkItemStart, 'homework_class.homework_id', 'homework_class.class_id'),
        status: activeWhere(sql`homework.status = 1 and ${isOpenClass(now)}`),
        dateLastModified: laterTime(sql`homework.changed_at`, sql`homework_class.published_at`),
        title: sql.ref('homework.name'),
        description: sql.ref('homework.remark'),
        assignDate: sql.ref('homework_class.published_at'),
        dueDate: sql.ref('homework.ending_time'),
        'class.sourcedId': homeworkClass,
        'school.sourcedId': idOf('school', 'class.school_id'),
        'category.sourcedId': literal(homeworkCategory.sourceId),
        'academicSession.sourcedId': firstTermIdOf('class.id'),
        resultValueMin: sql`0`,
        resultValueMax: points('homework.total_score'),
      },
      order: ['homework_class.class_id', 'homework_class.homework_id'],
      placed: async (id) =>
        matchesPair(['homework_class.homework_id', 'homework_class.class_id'], pairsIn(homeworkItemStart, id)),
    };
    if (within.theClass?.courseId !== undefined) return [homework];
    const exam: RecordSource = {
      rows: rowsOf(examRows(asked, within)),
      columns: {
        sourcedId: itemId(examItemStart, 'exam.id', 'class.id'),
        status: activeWhere(sql`exam.status = 1 and ${isOpenClass(now)}`),
        dateLastModified: laterTime(sql`exam.changed_at`, sql`coalesce(exam.published_at, exam.created_at)`),
        title: sql.ref('exam.name'),
        assignDate: sql`coalesce(exam.start_at, exam.published_at, exam.created_at)`,
        dueDate: sql`coalesce(exam.end_at, ${dayStart(openEnd, timezone)})`,
        'class.sourcedId': idOf('class', 'class.id'),
        'school.sourcedId': idOf('school', 'class.school_id'),
        'category.sourcedId': literal(examCategory.sourceId),
        'academicSession.sourcedId': firstTermIdOf('class.id'),
        resultValueMin: sql`0`,
        resultValueMax: sql`exam.score / 10.0`,
      },
      order: ['class.id', 'exam.id'],
      placed: async (id) => matchesPair(['exam.id', 'class.id'], pairsIn(examItemStart, id)),
    };
    return [homework, exam];
  },
  shape: (row, { links }) => ({
    title: row.title,
    ...(row.description ? { description: row.description } : {}),
    assignDate: isoMoment(row.assignDate),
    dueDate: isoMoment(row.dueDate),
    class: links('class', row['class.sourcedId']),
    school: links('org', row['school.sourcedId']),
    category: links('category', row['category.sourcedId']),
    academicSession: links('academicSession', row['academicSession.sourcedId']),
    resultValueMin: Number(row.resultValueMin),
    resultValueMax: Number(row.resultValueMax),
  }),
};

/** SQL that converts a stored homework score to points. */
const points = (column: string): RawBuilder<number> =>
  sql`${sql.ref(column)} / case homework.is_set_score when 1 then ${sql.lit(unitsPerPoint(1))}.0 else ${sql.lit(unitsPerPoint(2))}.0 end`;

/** Converts unix seconds to ISO 8601. */
export const isoMoment = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();

/** SQL for the first of the student's current classes in their school that the exam is given to. */
const firstClass = sql<number>`(
  select min(stay.class_id) from class_student as stay inner join class as home on home.id = stay.class_id
  where stay.student_id = exam_report.student_id and stay.left_at is null
  and home.school_id = exam_report.school_id and home.class_type = 0 and ${isGivenToClass('home.id')})`;

export const results: Resource = {
  one: 'result',
  many: 'results',
  fields: {
    ...commonFields,
    scoreStatus: 'text',
    score: 'number',
    scoreDate: 'daytime',
    comment: 'text',
    late: 'text',
    missing: 'text',
    'lineItem.sourcedId': 'text',
    'student.sourcedId': 'text',
    'class.sourcedId': 'text',
  },
  parts(asked, within) {
    const { now } = asked;
    const studentId = within.user && 'studentId' in within.user ? within.user.studentId : undefined;
    const reached = reachableSchools(asked);
    const statuses = Object.entries(homeworkScoreStatus).map(
      ([status, name]) => sql`when ${sql.lit(Number(status))} then ${sql.lit(name)}`,
    );
    const homework: RecordSource = {
      rows: rowsOf(
        homeworkRows(asked, within)
          .innerJoin('report', (join) =>
            join
              .onRef('report.homework_id', '=', 'homework_class.homework_id')
              .onRef('report.class_id', '=', 'homework_class.class_id'),
          )
          .innerJoin('student', 'student.id', 'report.student_id')
          .where('student.school_id', 'in', reached)
          .where('student.deleted_at', 'is', null)
          .$if(studentId !== undefined, (query) => query.where('report.student_id', '=', studentId ?? 0)),
      ),
      columns: {
        sourcedId: concatenateIds(literal(homeworkResultStart), textOf('report.id')),
        status: activeWhere(sql`homework.status = 1 and ${isOpenClass(now)}`),
        dateLastModified: laterTime(
          sql`report.changed_at`,
          sql`coalesce(report.graded_at, report.submit_time, homework_class.published_at)`,
        ),
        scoreStatus: sql`case report.status ${sql.join(statuses, sql` `)} end`,
        score: sql`case when report.status = 3 then ${points('report.user_score')} end`,
        scoreDate: sql`coalesce(report.graded_at, report.submit_time, homework.ending_time)`,
        comment: sql.ref('report.comment'),
        late: booleanText(sql`report.submit_time is not null and report.submit_time > homework.ending_time`),
        missing: booleanText(sql`report.submit_time is null and homework.ending_time <= ${now}`),
        'lineItem.sourcedId': itemId(homeworkItemStart, 'homework_class.homework_id', 'homework_class.class_id'),
        'student.sourcedId': idOf('student', 'report.student_id'),
        'class.sourcedId': homeworkClass,
      },
      order: ['homework_class.class_id', 'homework_class.homework_id', 'report.student_id'],
      async placed(id) {
        const own = id.startsWith(homeworkResultStart) ? id.slice(homeworkResultStart.length) : '';
        return /^\d{1,15}$/.test(own) ? isOneOf('report.id', [Number(own)]) : undefined;
      },
    };
    if (within.theClass?.courseId !== undefined) return [homework];
    const exam: RecordSource = {
      rows: rowsOf(
        examRows(asked, within)
          .innerJoin('exam_report', (join) =>
            join
              .onRef('exam_report.exam_id', '=', 'exam.id')
              .onRef('exam_report.school_id', '=', 'class.school_id')
              .on('exam_report.is_effective', '=', 1),
          )
          .innerJoin('student', 'student.id', 'exam_report.student_id')
          .innerJoin('class_student', (join) =>
            join
              .onRef('class_student.student_id', '=', 'exam_report.student_id')
              .onRef('class_student.class_id', '=', 'class.id')
              .on('class_student.left_at', 'is', null),
          )
          .where('student.school_id', 'in', reached)
          .where('student.deleted_at', 'is', null)
          .where(sql<boolean>`class.id = ${firstClass}`)
          .$if(studentId !== undefined, (query) => query.where('exam_report.student_id', '=', studentId ?? 0)),
      ),
      columns: {
        sourcedId: concatenateIds(
          literal(examResultStart),
          textOf('exam_report.exam_id'),
          literal('-'),
          textOf('exam_report.student_id'),
        ),
        status: activeWhere(sql`exam.status = 1 and ${isOpenClass(now)}`),
        dateLastModified: laterTime(
          sql`exam_report.changed_at`,
          sql`coalesce(exam_report.graded_at, exam_report.submit_time)`,
        ),
        scoreStatus: sql`case exam_report.test_status when 3 then 'fully graded' else 'submitted' end`,
        score: sql`case when exam_report.test_status = 3 then exam_report.user_score / 10.0 end`,
        scoreDate: sql`coalesce(exam_report.graded_at, exam_report.submit_time)`,
        comment: sql.ref('exam_report.comment'),
        'lineItem.sourcedId': itemId(examItemStart, 'exam.id', 'class.id'),
        'student.sourcedId': idOf('student', 'exam_report.student_id'),
        'class.sourcedId': idOf('class', 'class.id'),
      },
      order: ['class.id', 'exam.id', 'exam_report.student_id'],
      placed: async (id) =>
        matchesPair(['exam_report.exam_id', 'exam_report.student_id'], pairsIn(examResultStart, id)),
    };
    return [homework, exam];
  },
  shape: (row, { links, timezone }) => ({
    lineItem: links('lineItem', row['lineItem.sourcedId']),
    student: links('user', row['student.sourcedId']),
    class: links('class', row['class.sourcedId']),
    scoreStatus: row.scoreStatus,
    ...(row.score === null || row.score === undefined ? {} : { score: Number(row.score) }),
    scoreDate: dayOf(Number(row.scoreDate), timezone),
    ...(row.comment ? { comment: row.comment } : {}),
    ...(row.late ? { late: row.late, missing: row.missing } : {}),
  }),
};
