/**
 * Exports homework and exams as the gradebook of a OneRoster package: a line item per class, a result per student. An
 * exam becomes a line item in each class that it is given to, or in all classes of its schools, and a student's result is
 * in the first of these classes.
 */

import { examPoints, testStatus } from '#server/exams/rules.ts';
import { pointsOf, reportStatus, type ScoreMode } from '#server/grading/rules.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { Gradebook, LineItem, Result } from './formats/oneroster-gradebook.ts';
import { rowsPerQuery } from './record-listing.ts';
import { type RequestedSchools, requestedSchools } from './requested-schools.ts';
import type { StoredSchool } from './stored-records.ts';

export const gradebookCategories = [
  { sourceId: 'homework', title: '作业' },
  { sourceId: 'exam', title: '考试' },
] as const;

/** End date of an exam without an end, because the standard requires one. */
export const openEnd = '2099-12-31';

/**
 * Beginnings of ids. Homework line item: homework and class; exam line item: exam and class; result: report, or exam
 * and student.
 */
export const homeworkItemStart = 'homework-';
export const examItemStart = 'exam-';
export const homeworkResultStart = 'report-';
export const examResultStart = 'exam-result-';

export const homeworkScoreStatus = { 1: 'not submitted', 2: 'submitted', 3: 'fully graded' } as const;

interface HomeworkItem {
  homework_id: number;
  class_id: number;
  published_at: number | null;
  name: string;
  remark: string;
  ending_time: number;
  total_score: number;
  is_set_score: ScoreMode;
  homeroomId: string;
  classId: string;
  schoolId: string;
}

/** Returns the gradebook. `stored`: provides the ids of exported records. */
export function storedGradebook(schools: RequestedSchools, stored: Pick<StoredSchool, 'idOf' | 'takenId'>): Gradebook {
  const { db, now, timezone } = schools;
  const ownSchools = () => requestedSchools(schools);

  const homeworkPage = (after: { homework_id: number; class_id: number }) =>
    db
      .selectFrom('homework_class')
      .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
      .innerJoin('class', 'class.id', 'homework_class.class_id')
      .select(['homework_class.homework_id', 'homework_class.class_id', 'homework_class.published_at'])
      .select(['homework.name', 'homework.remark', 'homework.course_id', 'homework.ending_time'])
      .select(['homework.total_score', 'homework.is_set_score', 'class.school_id'])
      .where('class.school_id', 'in', ownSchools())
      .where('class.class_type', '=', 0)
      .where('homework.status', '=', 1)
      .where('homework_class.published_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('homework_class.homework_id', '>', after.homework_id),
          eb.and([
            eb('homework_class.homework_id', '=', after.homework_id),
            eb('homework_class.class_id', '>', after.class_id),
          ]),
        ]),
      )
      .orderBy('homework_class.homework_id')
      .orderBy('homework_class.class_id')
      .limit(rowsPerQuery)
      .execute();

  /** Yields the homework of exported classes, which OneRoster calls line items. */
  async function* homeworkItems(): AsyncGenerator<HomeworkItem> {
    for (let after = { homework_id: 0, class_id: 0 }; ; ) {
      const rows = await homeworkPage(after);
      for (const row of rows) {
        const homeroomId = await stored.idOf('class', row.class_id);
        const schoolId = await stored.idOf('school', row.school_id);
        if (!homeroomId || !schoolId) continue;
        const classId = (await stored.takenId(row.class_id, row.course_id)) ?? homeroomId;
        yield { ...row, homeroomId, schoolId, classId };
      }
      if (rows.length < rowsPerQuery) return;
      after = rows.at(-1) ?? after;
    }
  }

  /** Yields the results of one homework, whose line items are `items`. */
  async function* homeworkResults(items: readonly HomeworkItem[]): AsyncGenerator<Result> {
    const [homework] = items;
    const ofClass = new Map(items.map((item) => [item.class_id, item]));
    for (let after = 0; homework; ) {
      const rows = await reportPage(homework.homework_id, after);
      for (const report of rows) {
        const item = ofClass.get(report.class_id);
        const studentId = item && (await stored.idOf('student', report.student_id));
        if (!item || !studentId) continue;
        const { status, submit_time, graded_at } = report;
        yield {
          sourceId: `${homeworkResultStart}${report.id}`,
          lineItemId: `${homeworkItemStart}${item.homework_id}-${item.class_id}`,
          studentId,
          classId: item.classId,
          status: homeworkScoreStatus[status],
          ...(status === reportStatus.graded && { score: pointsOf(item.is_set_score, report.user_score) }),
          day: dayOf(graded_at ?? submit_time ?? item.ending_time, timezone),
          comment: report.comment,
          isLate: submit_time !== null && submit_time > item.ending_time,
          isMissing: submit_time === null && item.ending_time <= now,
        };
      }
      if (rows.length < rowsPerQuery) return;
      after = rows.at(-1)?.student_id ?? after;
    }
  }

  const reportPage = (homeworkId: number, after: number) =>
    db
      .selectFrom('report')
      .select(['id', 'class_id', 'student_id', 'status', 'submit_time', 'user_score', 'graded_at', 'comment'])
      .where('homework_id', '=', homeworkId)
      .where('student_id', '>', after)
      .orderBy('student_id')
      .limit(rowsPerQuery)
      .execute();

  const exams = async () =>
    db
      .selectFrom('exam')
      .innerJoin('exam_figures', 'exam_figures.exam_id', 'exam.id')
      .select(['exam.id', 'exam.name', 'exam.score', 'exam.start_at', 'exam.end_at', 'exam.by_class'])
      .select(['exam.published_at', 'exam.created_at', 'exam_figures.school_id'])
      .where('exam_figures.school_id', 'in', ownSchools())
      .where('exam_figures.submitted_count', '>', 0)
      .where('exam.status', '=', 1)
      .orderBy('exam.id')
      .orderBy('exam_figures.school_id')
      .execute();

  let classes: Promise<readonly { id: number; school_id: number; sourceId: string }[]> | undefined;
  const writtenClasses = async () => {
    const all = await db
      .selectFrom('class')
      .select(['id', 'school_id'])
      .where('school_id', 'in', ownSchools())
      .where('class_type', '=', 0)
      .orderBy('id')
      .execute();
    const written = [];
    for (const theClass of all) {
      const sourceId = await stored.idOf('class', theClass.id);
      if (sourceId) written.push({ ...theClass, sourceId });
    }
    return written;
  };
  const classesOf = () => {
    classes ??= writtenClasses();
    return classes;
  };

  const examReportPage = (examId: number, schoolId: number, after: number) =>
    db
      .selectFrom('exam_report')
      .select(['student_id', 'test_status', 'submit_time', 'user_score', 'graded_at', 'comment'])
      .where('exam_id', '=', examId)
      .where('school_id', '=', schoolId)
      .where('is_effective', '=', 1)
      .where('student_id', '>', after)
      .orderBy('student_id')
      .limit(rowsPerQuery)
      .execute();

  async function classesOfStudents(students: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
    const stays = await db
      .selectFrom('class_student')
      .select(['student_id', 'class_id'])
      .where('student_id', 'in', [0, ...students])
      .where('left_at', 'is', null)
      .execute();
    const found = new Map<number, Set<number>>();
    for (const { student_id, class_id } of stays) getOrAdd(found, student_id, () => new Set()).add(class_id);
    return found;
  }

  /** Classes of the exam's school, or those it is given to. */
  async function classesOfExam(exam: { id: number; school_id: number; by_class: 0 | 1 }) {
    const given =
      exam.by_class === 1 &&
      (await db
        .selectFrom('exam_class')
        .select('class_id')
        .where('exam_id', '=', exam.id)
        .where('removed_at', 'is', null)
        .execute());
    return (await classesOf()).filter(
      ({ id, school_id }) =>
        school_id === exam.school_id && (given === false || given.some(({ class_id }) => class_id === id)),
    );
  }

  async function* examResults(exam: { id: number; school_id: number; by_class: 0 | 1 }): AsyncGenerator<Result> {
    const written = await classesOfExam(exam);
    for (let after = 0; ; ) {
      const rows = await examReportPage(exam.id, exam.school_id, after);
      const stays = await classesOfStudents(rows.map(({ student_id }) => student_id));
      for (const report of rows) {
        const theClass = written.find(({ id }) => stays.get(report.student_id)?.has(id));
        const studentId = theClass && (await stored.idOf('student', report.student_id));
        if (!theClass || !studentId) continue;
        yield {
          sourceId: `${examResultStart}${exam.id}-${report.student_id}`,
          lineItemId: `${examItemStart}${exam.id}-${theClass.id}`,
          studentId,
          classId: theClass.sourceId,
          ...(report.test_status === testStatus.reviewed
            ? { status: 'fully graded', score: examPoints(report.user_score) }
            : { status: 'submitted' }),
          day: dayOf(report.graded_at ?? report.submit_time, timezone),
          comment: report.comment,
        };
      }
      if (rows.length < rowsPerQuery) return;
      after = rows.at(-1)?.student_id ?? after;
    }
  }

  return {
    categories: () => gradebookCategories,
    lineItems: async function* (): AsyncGenerator<LineItem> {
      for await (const item of homeworkItems()) {
        yield {
          sourceId: `${homeworkItemStart}${item.homework_id}-${item.class_id}`,
          title: item.name,
          description: item.remark,
          assignDay: dayOf(item.published_at ?? 0, timezone),
          dueDay: dayOf(item.ending_time, timezone),
          classId: item.classId,
          homeroomId: item.homeroomId,
          categoryId: gradebookCategories[0].sourceId,
          schoolId: item.schoolId,
          least: 0,
          most: pointsOf(item.is_set_score, item.total_score),
        };
      }
      for (const exam of await exams()) {
        const schoolId = await stored.idOf('school', exam.school_id);
        if (!schoolId) continue;
        for (const theClass of await classesOfExam(exam)) {
          yield {
            sourceId: `${examItemStart}${exam.id}-${theClass.id}`,
            title: exam.name,
            assignDay: dayOf(exam.start_at ?? exam.published_at ?? exam.created_at, timezone),
            dueDay: exam.end_at === null ? openEnd : dayOf(exam.end_at, timezone),
            classId: theClass.sourceId,
            categoryId: gradebookCategories[1].sourceId,
            schoolId,
            least: 0,
            most: examPoints(exam.score),
          };
        }
      }
    },
    results: async function* (): AsyncGenerator<Result> {
      let items: HomeworkItem[] = [];
      for await (const item of homeworkItems()) {
        if (items[0] && items[0].homework_id !== item.homework_id) {
          yield* homeworkResults(items);
          items = [];
        }
        items.push(item);
      }
      yield* homeworkResults(items);
      for (const exam of await exams()) yield* examResults(exam);
    },
  };
}
