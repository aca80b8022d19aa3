/** Numbers of reports to grade, by homework and by exam, read from stored counters only. */
import { sql } from 'kysely';
import { examsOf } from '#server/exams/visible.ts';
import { visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesAssistedBy, hasTeaching } from '#server/school/staff-duties.ts';

/**
 * `total`: number of homework (or exams) with reports to grade. `reports`: number of all these reports. `list`: the
 * first few homework (or exams).
 */
interface WaitingList<Row> {
  total: number;
  reports: number;
  list: Row[];
}

interface WaitingRow {
  id: number;
  name: string;
  /** Number of ungraded reports, and number of submitted reports. */
  waiting: number;
  submitted: number;
}

/**
 * Lists homework (by deadline) and exams that have reports to grade, at most `limit` of each, in one statement. An
 * assistant's homework counts cover the classes that they assist.
 */
export async function homeworkWaitingForGrader(
  db: Database,
  actor: Actor,
  limit: number,
): Promise<{
  homework: WaitingList<WaitingRow & { course_title: string; ending_time: number }>;
  exams: WaitingList<WaitingRow>;
}> {
  const { id, schoolId, identity } = actor;
  const rows = await waiting(db, { id, schoolId, limit }, identity);
  const of = (kind: string) => {
    const ofKind = rows.filter((row) => row.kind === kind);
    return { total: ofKind[0]?.total ?? 0, reports: ofKind[0]?.reports ?? 0, its: ofKind };
  };
  const { its: homeworkRows, ...homeworkSums } = of('homework');
  const { its: examRows, ...examSums } = of('exam');
  return {
    homework: {
      ...homeworkSums,
      list: homeworkRows.map(({ id, name, course_title, ending_time, waiting, submitted }) => ({
        id,
        name,
        course_title,
        ending_time,
        waiting,
        submitted,
      })),
    },
    exams: {
      ...examSums,
      list: examRows.map(({ id, name, waiting, submitted }) => ({ id, name, waiting, submitted })),
    },
  };
}

type Limits = Record<'id' | 'schoolId' | 'limit', number>;

const waiting = prepared((db, { id, schoolId, limit }: Placeholders<Limits>, identity: Identity) => {
  const first = db
    .selectFrom(homeworkCounts(db, { id, identity }).as('counted'))
    .where('counted.waiting', '>', 0)
    .selectAll()
    .select(totals)
    .orderBy('counted.ending_time')
    .orderBy('counted.id')
    .limit(limit);
  const homework = db
    .selectFrom(first.as('first'))
    .innerJoin('course', 'course.id', 'first.course_id')
    .select([
      sql<string>`'homework'`.as('kind'),
      'first.id',
      'first.name',
      'course.title as course_title',
      'first.ending_time',
      'first.waiting',
      'first.submitted',
      'first.total',
      'first.reports',
    ])
    .orderBy('first.ending_time')
    .orderBy('first.id')
    .limit(limit);
  const exams = db
    .selectFrom(examCounts(db, { id, schoolId }).as('counted'))
    .where('counted.waiting', '>', 0)
    .select([
      sql<string>`'exam'`.as('kind'),
      'counted.id',
      'counted.name',
      sql<string>`''`.as('course_title'),
      sql<number>`0`.as('ending_time'),
      'counted.waiting',
      'counted.submitted',
      ...totals,
    ])
    .orderBy('counted.id')
    .limit(limit);
  return db
    .selectFrom(homework.as('waiting_homework'))
    .selectAll()
    .unionAll(db.selectFrom(exams.as('waiting_exams')).selectAll());
});

/** Counts the exam submissions that the actor can grade. */
export async function pendingExamPapers(db: Database, actor: Actor): Promise<number> {
  const { papers } = await db
    .selectFrom(examCounts(db, actor).as('counted'))
    .select((eb) => eb.fn.sum<number | null>('counted.waiting').as('papers'))
    .executeTakeFirstOrThrow();
  return papers ?? 0;
}

const homeworkColumns = ['homework.id', 'homework.name', 'homework.course_id', 'homework.ending_time'] as const;

/** Selects homework that is not recalled, with its counts. An assistant's counts cover the classes that they assist. */
export function homeworkCounts(db: Database, actor: Viewer) {
  if (actor.identity === 'assist') {
    return db
      .selectFrom('homework_class')
      .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
      .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
      .where('homework_class.published_at', 'is not', null)
      .where('homework.status', '=', 1)
      .select((eb) => [
        ...homeworkColumns,
        eb.fn.sum<number>('homework_class.not_revised_homework_count').as('waiting'),
        eb.fn.sum<number>('homework_class.submitted_homework_count').as('submitted'),
      ])
      .groupBy(homeworkColumns);
  }
  return db
    .selectFrom('homework')
    .where('homework.id', 'in', visibleHomeworkIds(db, actor, 'own'))
    .where('homework.status', '=', 1)
    .select([
      ...homeworkColumns,
      'homework.not_revised_homework_count as waiting',
      'homework.submitted_homework_count as submitted',
    ]);
}

/** Counts submissions to the actor's own exams and, if the actor teaches at all, submissions from their school. */
const examCounts = (db: Database, actor: Record<'id' | 'schoolId', Operand<number>>) =>
  db
    .selectFrom('exam_figures')
    .innerJoin('exam', 'exam.id', 'exam_figures.exam_id')
    .where('exam.id', 'in', examsOf(db, actor))
    .where((eb) =>
      eb.or([
        eb('exam.creator_id', '=', actor.id),
        eb.and([eb('exam_figures.school_id', '=', actor.schoolId), hasTeaching(db, actor)]),
      ]),
    )
    .select((eb) => [
      'exam.id',
      'exam.name',
      eb.fn.sum<number>(sql`exam_figures.submitted_count - exam_figures.graded_count`).as('waiting'),
      eb.fn.sum<number>('exam_figures.submitted_count').as('submitted'),
    ])
    .groupBy(['exam.id', 'exam.name']);

/** Window functions count all rows, not only the rows within the limit. */
const totals = [sql<number>`count(*) over ()`.as('total'), sql<number>`sum(counted.waiting) over ()`.as('reports')];
