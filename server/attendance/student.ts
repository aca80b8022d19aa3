/** One student of a class: their courses, and the periods of one of them (document 3, section 2, StudentDetail). */
import type { Actor } from '#server/auth/sign-in.ts';
import { visibleClasses } from '#server/classes/visible.ts';
import type { Database } from '#server/db/engine.ts';
import { isRefusal, missing, type Refusal } from '#server/http/outcome.ts';
import type { ClassMember, StudyCourse, StudyPeriod } from './contract.ts';
import { cellsOf, factsOf, figuresBy, homeworkBy, noFigures, noHomework, percentOf } from './facts.ts';
import { hasStudyTime, presentStatus } from './machine.ts';

interface Paging {
  page: number;
  limit: number;
}

/** A membership by its id, of a class that the actor sees; also of a student who has left. */
export async function classMember(db: Database, actor: Actor, id: number): Promise<ClassMember | Refusal> {
  const member = await db
    .selectFrom('class_student as member')
    .innerJoin('student', 'student.id', 'member.student_id')
    .innerJoin('class', 'class.id', 'member.class_id')
    .select([
      ...(['member.id', 'member.student_id as uid', 'member.class_id', 'class.name as class_name'] as const),
      ...(['student.nickname', 'student.mobile', 'member.joined_at', 'member.join_type', 'member.left_at'] as const),
    ])
    .where('member.id', '=', id)
    .where('member.class_id', 'in', visibleClasses(db, actor).select('class.id'))
    .executeTakeFirst();
  if (!member) return missing('学员不存在');
  const { joined_at, left_at, ...known } = member;
  return { ...known, created_at: joined_at, left_at: left_at ?? 0 };
}

export async function studyCoursePage(db: Database, actor: Actor, id: number, { page, limit }: Paging, now: number) {
  const member = await classMember(db, actor, id);
  if (isRefusal(member)) return member;
  const { total } = await db
    .selectFrom('class_course')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('class_id', '=', member.class_id)
    .executeTakeFirstOrThrow();
  const list = await studyCourses(db, member, { limit, offset: (page - 1) * limit, now });
  return { list, total, page, limit };
}

/** The courses of the member's class with the member's own figures. */
export async function studyCourses(
  db: Database,
  member: Pick<ClassMember, 'id' | 'uid' | 'class_id'>,
  { limit, offset, now }: { limit: number; offset: number; now: number },
): Promise<StudyCourse[]> {
  const courses = await db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .select(['course.id', 'course.title', 'course.course_type'])
    .select((eb) =>
      eb
        .selectFrom('period')
        .whereRef('period.course_id', '=', 'course.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('sections'),
    )
    .where('class_course.class_id', '=', member.class_id)
    .orderBy('course.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const figures = await figuresBy(db, 'course_id', { classId: member.class_id, memberIds: [member.id] }, now);
  const homework = await homeworkBy(db, 'course_id', { classId: member.class_id, studentIds: [member.uid] });
  return courses.map(({ id, title, course_type, sections }) => {
    const { expected: _, ...study } = figures.get(id) ?? noFigures;
    return {
      ...{ course_basis_id: id, title, course_type, section_num: sections ?? 0 },
      ...study,
      ...(homework.get(id) ?? noHomework),
    };
  });
}

export async function studyPeriodPage(
  db: Database,
  actor: Actor,
  id: number,
  { course_id, page, limit }: Paging & { course_id?: number | undefined },
  now: number,
) {
  const member = await classMember(db, actor, id);
  if (isRefusal(member)) return member;
  const course = await db
    .selectFrom('class_course')
    .select('course_id')
    .where('class_id', '=', member.class_id)
    .where('course_id', '=', course_id ?? 0)
    .executeTakeFirst();
  if (!course) return missing('课程不存在');
  const { total } = await db
    .selectFrom('period')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('course_id', '=', course.course_id)
    .executeTakeFirstOrThrow();
  const scope = { classId: member.class_id, memberIds: [member.id], courseId: course.course_id };
  const list = await studyPeriods(db, scope, { limit, offset: (page - 1) * limit, now });
  return { list, total, page, limit };
}

async function studyPeriods(
  db: Database,
  scope: { classId: number; memberIds: number[]; courseId: number },
  { limit, offset, now }: { limit: number; offset: number; now: number },
): Promise<StudyPeriod[]> {
  const cells = await cellsOf(db, scope, now)
    .select(['period.title', 'period.start_play', 'period.periods_type'])
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return cells.map((cell) => ({
    id: cell.period_id,
    title: cell.title,
    start_play: cell.start_play,
    total_time: cell.total_time,
    study_length: hasStudyTime(cell.course_type) ? cell.watched : 0,
    progress_rate: hasStudyTime(cell.course_type)
      ? percentOf(Math.min(cell.watched, cell.total_time), cell.total_time)
      : 0,
    // Nothing is held against who was not in the class then.
    op_status: cell.expected === 1 ? presentStatus(factsOf(cell)) : 6,
    leave_id: cell.requested_at === null ? null : cell.attendance_id,
    leave_cause: cell.leave_cause ?? '',
    periods_type: cell.periods_type,
    course_type: cell.course_type,
  }));
}
