/** Classes that an exam is given to, as administrators choose them. An exam without any is given to whole schools. */
import { classTypes, inClassOrder } from '#server/classes/rules.ts';
import { adminClasses, gradePlace } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { Exam } from '#server/schema/database.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { WrittenAudience } from './admin.contract.ts';
import { audienceMessages } from './rules.ts';
import { examClasses } from './visible.ts';

type Messages = Partial<Record<'audience' | 'grade_ids' | 'class_ids', string[]>>;

/** Classes of exams by exam, in the order of grades and names. */
export async function classesByExam(db: Database, examIds: readonly number[]) {
  const rows = await examClasses(db)
    .innerJoin('class', 'class.id', 'exam_class.class_id')
    .select(['exam_class.exam_id', 'class.id', 'class.name', 'class.school_id', gradePlace])
    .where('exam_class.exam_id', 'in', [0, ...examIds])
    .execute();
  return groupRows(inClassOrder(rows), ({ exam_id }) => exam_id);
}

/** Classes that have not ended, in schools that the administrator manages. */
const openClasses = (db: Database, actor: Actor, now: number) =>
  adminClasses(db, actor)
    .where('class.class_type', '=', classTypes.stateSchool)
    .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]));

/** Grades and classes to choose from. */
export async function audienceChoices({ db, actor, now }: RuleContext<'actor' | 'now'>) {
  const rows = await openClasses(db, actor, now)
    .leftJoin('grade', 'grade.id', 'class.grade_id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .select(['class.id', 'class.name', 'class.grade_id', 'grade.name as grade', 'school.org_name as school'])
    .select(['class.school_id', gradePlace])
    .orderBy('school.id')
    .execute();
  const classes = [...groupRows(rows, ({ school_id }) => school_id).values()].flatMap(inClassOrder);
  const several = new Set(classes.map(({ school }) => school)).size > 1;
  const grades = new Map(
    classes.flatMap(({ grade_id, grade }) => (grade_id && grade ? [[grade_id, grade] as const] : [])),
  );
  return {
    grades: [...grades].map(([id, name]) => ({ id, name })),
    classes: classes.map(({ id, name, grade_id, school }) => ({
      id,
      name: several ? `${name}（${school}）` : name,
      grade_id,
    })),
  };
}

/**
 * Resolves the written audience to class ids in ascending order; grades become their classes of the chosen schools.
 * Without an audience the exam keeps `present`. Returns messages by field if it is wrong.
 */
export async function resolveAudience(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { audience, grade_ids, class_ids }: WrittenAudience,
  { schoolIds, present }: { schoolIds: readonly number[]; present: readonly number[] },
): Promise<{ classIds: number[]; errors: Messages }> {
  const refuse = (field: keyof Messages, message: string) => ({
    classIds: [...present],
    errors: { [field]: [message] },
  });
  const kind = audience ?? (class_ids.length > 0 ? 'class' : undefined);
  if (kind === 'school') return { classIds: [], errors: {} };
  const open = openClasses(db, actor, now).where('class.school_id', 'in', [0, ...schoolIds]);
  if (kind === 'grade') {
    if (grade_ids.length === 0) return refuse('grade_ids', audienceMessages.noGrade);
    const rows = await open.select('class.id').where('class.grade_id', 'in', grade_ids).orderBy('class.id').execute();
    return rows.length === 0
      ? refuse('grade_ids', audienceMessages.gradeWithoutClass)
      : { classIds: rows.map(({ id }) => id), errors: {} };
  }
  const chosen = kind === 'class' ? class_ids : present;
  if (kind === 'class' && chosen.length === 0) return refuse('class_ids', audienceMessages.noClass);
  const known = await open
    .select('class.id')
    .where('class.id', 'in', [0, ...chosen])
    .execute();
  const kept = await db
    .selectFrom('class')
    .select('class.id')
    .where('class.id', 'in', [0, ...chosen.filter((id) => present.includes(id))])
    .where('class.school_id', 'in', [0, ...schoolIds])
    .execute();
  const allowed = new Set([...known, ...kept].map(({ id }) => id));
  return chosen.every((id) => allowed.has(id))
    ? { classIds: [...chosen].sort((one, other) => one - other), errors: {} }
    : refuse('class_ids', audienceMessages.otherSchool);
}

/** Gives the exam to exactly these classes. Once published, a removed class stays known as removed. */
export async function giveToClasses(
  db: Database,
  exam: Pick<Exam, 'id' | 'changed_at'>,
  classIds: readonly number[],
  now: number,
): Promise<void> {
  const others = [0, ...classIds];
  if (exam.changed_at === 0) {
    await db.deleteFrom('exam_class').where('exam_id', '=', exam.id).where('class_id', 'not in', others).execute();
  } else {
    await db
      .updateTable('exam_class')
      .set({ removed_at: now })
      .where('exam_id', '=', exam.id)
      .where('removed_at', 'is', null)
      .where('class_id', 'not in', others)
      .execute();
  }
  if (classIds.length === 0) return;
  await db
    .insertInto('exam_class')
    .values(classIds.map((class_id) => ({ exam_id: exam.id, class_id, removed_at: null })))
    .onConflict((known) => known.columns(['exam_id', 'class_id']).doUpdateSet({ removed_at: null }))
    .execute();
}

/** Counts students who have begun or submitted the exam and whose classes would lose it. */
export async function countDroppedTakers(
  db: Database,
  examId: number,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): Promise<number> {
  if (after.length === 0) return 0;
  const membersOf = (classIds: readonly number[]) =>
    db.selectFrom('class_student').select('student_id').where('class_id', 'in', classIds);
  let takers = db
    .selectFrom('student')
    .where((eb) =>
      eb.or([
        eb('student.id', 'in', db.selectFrom('exam_attempt').select('student_id').where('exam_id', '=', examId)),
        eb('student.id', 'in', db.selectFrom('exam_report').select('student_id').where('exam_id', '=', examId)),
      ]),
    )
    .where('student.id', 'not in', membersOf(after));
  if (before.length > 0) takers = takers.where('student.id', 'in', membersOf(before));
  return countOf(takers);
}

/** Ids of the students that an exam reaches: enabled ones of these schools, or of its classes. */
export function reachedStudents(
  db: Database,
  { schools, classes }: { schools: readonly { id: number }[]; classes: readonly { id: number }[] },
) {
  const students = db
    .selectFrom('student')
    .where('student.disabled_at', 'is', null)
    .where('student.deleted_at', 'is', null)
    .where('student.school_id', 'in', [0, ...schools.map(({ id }) => id)]);
  return classes.length === 0
    ? students
    : students.where('student.id', 'in', (eb) =>
        eb
          .selectFrom('class_student')
          .select('class_student.student_id')
          .where('class_student.left_at', 'is', null)
          .where(
            'class_student.class_id',
            'in',
            classes.map(({ id }) => id),
          ),
      );
}
