/**
 * What a record is called, of which school it is, and where it leads: one query for all rows of a page that are about
 * such records.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { HistoryRecord } from './rules.ts';

export interface Titled {
  id: number;
  title: string;
  school_id: number | null;
  /** How marks are kept; set for homework and its reports. */
  mode?: 1 | 2;
  /** Stored full score, the sum over all questions; set for reports of rated homework. */
  full?: number;
  /** Another record whose screen is linked instead: the student of an answer, the course of a period; null: none. */
  leads?: { record: HistoryRecord; id: number } | null;
}

type Titles = (db: Database, ids: readonly number[], zone: string) => Promise<Titled[]>;

const of = (ids: readonly number[]) => [...ids];

const homeworkReports = (db: Database) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['student.nickname', 'student.school_id', 'report.student_id', 'homework.name'])
    .select(['homework.is_set_score as mode', 'homework.total_score as full']);

const examReports = (db: Database) =>
  db
    .selectFrom('exam_report')
    .innerJoin('exam', 'exam.id', 'exam_report.exam_id')
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .select(['student.nickname', 'student.school_id', 'exam_report.student_id', 'exam.name']);

const ofStudent = ({
  id,
  student_id,
  nickname,
  name,
  school_id,
  mode,
  full,
}: {
  id: number;
  student_id: number;
  nickname: string;
  name: string;
  school_id: number;
  mode?: 1 | 2;
  full?: number;
}): Titled => ({
  id,
  title: `${nickname}《${name}》`,
  school_id,
  leads: { record: 'student', id: student_id },
  ...(mode && { mode }),
  ...(full !== undefined && { full }),
});

/** Of catalogues and points. */
const ofEverySchool = (rows: readonly { id: number; name: string }[]): Titled[] =>
  rows.map(({ id, name }) => ({ id, title: name, school_id: null }));

const beginning = (text: string): string => ([...text].length > 30 ? `${[...text].slice(0, 30).join('')}…` : text);

const ofCourse = ({ course_id, ...titled }: Titled & { course_id: number }): Titled => ({
  ...titled,
  leads: { record: 'course', id: course_id },
});

/** Others are called what their rows say of them. */
const titles: Partial<Record<HistoryRecord, Titles>> = {
  school: async (db, ids) =>
    (await db.selectFrom('school').select(['id', 'org_name as title']).where('id', 'in', of(ids)).execute()).map(
      (row) => ({ ...row, school_id: row.id }),
    ),
  class_student: async (db, ids) =>
    (
      await db
        .selectFrom('class_student')
        .innerJoin('student', 'student.id', 'class_student.student_id')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .select(['class_student.id', 'class_student.student_id', 'student.nickname', 'student.school_id', 'class.name'])
        .where('class_student.id', 'in', of(ids))
        .execute()
    ).map(ofStudent),
  course: (db, ids) =>
    db.selectFrom('course').select(['id', 'title', 'school_id']).where('id', 'in', of(ids)).execute(),
  period: async (db, ids) =>
    (
      await db
        .selectFrom('period')
        .innerJoin('course', 'course.id', 'period.course_id')
        .select(['period.id', 'period.title', 'period.course_id', 'course.school_id'])
        .where('period.id', 'in', of(ids))
        .execute()
    ).map(ofCourse),
  course_chapter: async (db, ids) =>
    (
      await db
        .selectFrom('course_chapter')
        .innerJoin('course', 'course.id', 'course_chapter.course_id')
        .select(['course_chapter.id', 'course_chapter.title', 'course_chapter.course_id', 'course.school_id'])
        .where('course_chapter.id', 'in', of(ids))
        .execute()
    ).map(ofCourse),
  class: (db, ids) =>
    db.selectFrom('class').select(['id', 'name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  class_group: async (db, ids) =>
    (
      await db
        .selectFrom('class_group')
        .innerJoin('class', 'class.id', 'class_group.class_id')
        .select([
          'class_group.id',
          'class_group.group_name',
          'class_group.class_id',
          'class.name as klass',
          'class.school_id',
        ])
        .where('class_group.id', 'in', of(ids))
        .execute()
    ).map(({ id, group_name, class_id, klass, school_id }) => ({
      id,
      title: `${klass}《${group_name}》`,
      school_id,
      leads: { record: 'class', id: class_id },
    })),
  grade: async (db, ids) =>
    ofEverySchool(await db.selectFrom('grade').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  classify: async (db, ids) =>
    ofEverySchool(await db.selectFrom('classify').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  term: async (db, ids) =>
    ofEverySchool(await db.selectFrom('term').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  subject: async (db, ids) =>
    ofEverySchool(await db.selectFrom('subject').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  ware_classify: async (db, ids) =>
    ofEverySchool(await db.selectFrom('ware_classify').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  exam_category: async (db, ids) =>
    ofEverySchool(await db.selectFrom('exam_category').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  room: (db, ids) =>
    db.selectFrom('room').select(['id', 'name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  knowledge_point: async (db, ids) =>
    ofEverySchool(await db.selectFrom('knowledge_point').select(['id', 'name']).where('id', 'in', of(ids)).execute()),
  // A draft is its maker's alone, also what was done to it.
  exam: async (db, ids) =>
    (await db.selectFrom('exam').select(['id', 'name', 'status']).where('id', 'in', of(ids)).execute()).map(
      ({ id, name, status }) => ({ id, title: name, school_id: null, ...(status === 2 && { leads: null }) }),
    ),
  staff: (db, ids) =>
    db.selectFrom('staff').select(['id', 'real_name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  student: (db, ids) =>
    db.selectFrom('student').select(['id', 'nickname as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  homework: (db, ids) =>
    db
      .selectFrom('homework')
      .innerJoin('course', 'course.id', 'homework.course_id')
      .select(['homework.id', 'homework.name as title', 'course.school_id', 'homework.is_set_score as mode'])
      .where('homework.id', 'in', of(ids))
      .execute(),
  report: async (db, ids) =>
    (await homeworkReports(db).select('report.id').where('report.id', 'in', of(ids)).execute()).map(ofStudent),
  answer: async (db, ids) =>
    (
      await homeworkReports(db)
        .innerJoin('answer', 'answer.report_id', 'report.id')
        .select('answer.id')
        .where('answer.id', 'in', of(ids))
        .execute()
    ).map(({ full: _, ...row }) => ofStudent(row)),
  exam_report: async (db, ids) =>
    (await examReports(db).select('exam_report.id').where('exam_report.id', 'in', of(ids)).execute()).map(ofStudent),
  exam_answer: async (db, ids) =>
    (
      await examReports(db)
        .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
        .select('exam_answer.id')
        .where('exam_answer.id', 'in', of(ids))
        .execute()
    ).map(ofStudent),
  attendance: async (db, ids) =>
    (
      await db
        .selectFrom('attendance')
        .innerJoin('student', 'student.id', 'attendance.student_id')
        .innerJoin('period', 'period.id', 'attendance.period_id')
        .select(['attendance.id', 'attendance.student_id', 'student.nickname', 'student.school_id'])
        .select('period.title as name')
        .where('attendance.id', 'in', of(ids))
        .execute()
    ).map(ofStudent),
  class_session: async (db, ids, zone) =>
    (
      await db
        .selectFrom('class_session')
        .innerJoin('class', 'class.id', 'class_session.class_id')
        .select(['class_session.id', 'class.name', 'class.school_id', 'class_session.start_time'])
        .where('class_session.id', 'in', of(ids))
        .execute()
    ).map(({ id, name, school_id, start_time }) => ({ id, title: `${name} ${dayOf(start_time, zone)}`, school_id })),
  session_student: async (db, ids) =>
    (
      await db
        .selectFrom('session_student')
        .innerJoin('student', 'student.id', 'session_student.student_id')
        .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
        .innerJoin('class', 'class.id', 'class_session.class_id')
        .select(['session_student.id', 'session_student.student_id', 'student.nickname', 'student.school_id'])
        .select('class.name')
        .where('session_student.id', 'in', of(ids))
        .execute()
    ).map(ofStudent),
  class_notice: (db, ids) =>
    db
      .selectFrom('class_notice')
      .innerJoin('class', 'class.id', 'class_notice.class_id')
      .select(['class_notice.id', 'class_notice.title', 'class.school_id'])
      .where('class_notice.id', 'in', of(ids))
      .execute(),
  class_meeting: (db, ids) =>
    db
      .selectFrom('class_meeting')
      .innerJoin('class', 'class.id', 'class_meeting.class_id')
      .select(['class_meeting.id', 'class_meeting.meeting_name as title', 'class.school_id'])
      .where('class_meeting.id', 'in', of(ids))
      .execute(),
  class_ware: (db, ids) =>
    db
      .selectFrom('class_ware')
      .innerJoin('class', 'class.id', 'class_ware.class_id')
      .select(['class_ware.id', 'class_ware.ware_name as title', 'class.school_id'])
      .where('class_ware.id', 'in', of(ids))
      .execute(),
  courseware: (db, ids) =>
    db.selectFrom('courseware').select(['id', 'ware_name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  large_class: (db, ids) =>
    db.selectFrom('large_class').select(['id', 'name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  community_group: (db, ids) =>
    db.selectFrom('community_group').select(['id', 'name as title', 'school_id']).where('id', 'in', of(ids)).execute(),
  community_post: async (db, ids) =>
    (
      await db
        .selectFrom('community_post')
        .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
        .select(['community_post.id', 'community_post.content as title', 'community_group.school_id'])
        .where('community_post.id', 'in', of(ids))
        .execute()
    ).map((row) => ({ ...row, title: beginning(row.title) })),
  community_comment: (db, ids) =>
    db
      .selectFrom('community_comment')
      .innerJoin('community_post', 'community_post.id', 'community_comment.post_id')
      .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
      .select(['community_comment.id', 'community_comment.content as title', 'community_group.school_id'])
      .where('community_comment.id', 'in', of(ids))
      .execute(),
  question: async (db, ids) =>
    (
      await db
        .selectFrom('question')
        .innerJoin('staff', 'staff.id', 'question.owner_id')
        .select(['question.id', 'question.stem_text as title', 'staff.school_id'])
        .where('question.id', 'in', of(ids))
        .execute()
    ).map((row) => ({ ...row, title: beginning(row.title) })),
  question_correction: async (db, ids) =>
    (
      await db
        .selectFrom('question_correction')
        .innerJoin('staff as reporter', 'reporter.id', 'question_correction.staff_id')
        .leftJoin('question', 'question.id', 'question_correction.question_id')
        .leftJoin('staff as owner', 'owner.id', 'question.owner_id')
        .select(['question_correction.id', 'question_correction.stem_text as title'])
        .select((eb) => eb.fn.coalesce('owner.school_id', 'reporter.school_id').as('school_id'))
        .where('question_correction.id', 'in', of(ids))
        .execute()
    ).map((row) => ({ ...row, title: beginning(row.title) })),
  export_file: (db, ids) =>
    db
      .selectFrom('export_file')
      .innerJoin('staff', 'staff.id', 'export_file.staff_id')
      .select(['export_file.id', 'export_file.name as title', 'staff.school_id'])
      .where('export_file.id', 'in', of(ids))
      .execute(),
};

/** Of those that are still there. */
export async function titlesOf(
  db: Database,
  record: HistoryRecord,
  ids: readonly number[],
  zone = 'Asia/Shanghai',
): Promise<Titled[]> {
  return ids.length === 0 ? [] : ((await titles[record]?.(db, [...new Set(ids)], zone)) ?? []);
}
