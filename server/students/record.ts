/** One student as administrators see and edit them, with the numbers of records in all subjects. */

import { wasMember } from '#server/attendance/facts.ts';
import { missingStudent } from '#server/classes/rules.ts';
import { countUnfinished, presentStays } from '#server/enrolment/leaving.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import { leaveOf, lessonsOf, periodsOf } from './attendance-records.ts';
import type { CompleteStudent, StudentRecord } from './contract.ts';
import { addClassesToRows, studentRows } from './list.ts';
import { examsOf, homeworkOfStudent, talksOf } from './records.ts';
import { disablingSentence, type RecordCounts, recordsSentence } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Returns one student. 404: no such student. */
export async function studentRecordOf(
  { db, actor, now }: RequestContext,
  id: number,
): Promise<StudentRecord | Refusal> {
  const found = await studentRows(adminStudents(db, actor).where('student.id', '=', id)).execute();
  const [student] = await addClassesToRows(db, found);
  if (!student) return missing(missingStudent);
  await logView({ db, actor, now }, id);
  const { classes: _, ...particulars } = student;
  const [stays, earlier, homework, unfinished, exams, periods, lessons, leave, waiting, communication, others] =
    await Promise.all([
      presentStays(db, id),
      countOf(db.selectFrom('class_student').where('student_id', '=', id)),
      countOf(homeworkOfStudent(db, id)),
      countOf(
        homeworkOfStudent(db, id)
          .where('report.status', '=', 1)
          .where('homework.status', '=', 1)
          .where('homework.ending_time', '>', now),
      ),
      countOf(examsOf(db, id)),
      countOf(periodsOf(db, id, now).where(wasMember)),
      countOf(lessonsOf(db, id, now)),
      countOf(leaveOf(db, id)),
      countOf(leaveOf(db, id).where('attendance.op_status', '=', 1)),
      countOf(talksOf(db, id)),
      countRecords(db, id),
    ]);
  const counts = {
    classes: earlier,
    homework,
    unfinished,
    exams,
    attendance: periods + lessons,
    leave,
    waiting,
    communication,
  };
  return {
    ...particulars,
    counts,
    leaving: (await disablingEffect(db, stays, now)) ?? '',
    records: recordsSentence(others) ?? '',
    seen: versionTokenOf(editableFields(student)),
  };
}

export const editableFields = (student: CompleteStudent): CompleteStudent => ({
  nickname: student.nickname,
  number: student.number,
  mobile: student.mobile,
  guardian_mobile: student.guardian_mobile,
  school_id: student.school_id,
});

/**
 * Returns the sentence with the effect of disabling a student who has these enrolments; undefined if there is no
 * effect.
 */
export const disablingEffect = async (
  db: Database,
  stays: Awaited<ReturnType<typeof presentStays>>,
  now: number,
): Promise<string | undefined> => disablingSentence(stays.length, await countUnfinished(db, stays, now));

/** Counts the student's records. The keys are the Chinese nouns that the message uses. */
export async function countRecords(db: Database, id: number): Promise<RecordCounts> {
  const [classes, homework, exams, marks, lessons, studied, meetings, talks, posts, comments, circles] =
    await Promise.all([
      countOf(db.selectFrom('class_student').where('student_id', '=', id)),
      countOf(db.selectFrom('report').where('student_id', '=', id)),
      countOf(db.selectFrom('exam_report').where('student_id', '=', id)),
      countOf(leaveAndMarks(db, id)),
      countOf(db.selectFrom('session_student').where('student_id', '=', id)),
      countOf(db.selectFrom('study_record').where('student_id', '=', id)),
      countOf(db.selectFrom('class_meeting_attendance').where('student_id', '=', id)),
      countOf(db.selectFrom('communication_record').where('student_id', '=', id)),
      countOf(db.selectFrom('community_post').where('student_id', '=', id)),
      countOf(db.selectFrom('community_comment').where('student_id', '=', id)),
      countOf(db.selectFrom('community_member').where('student_id', '=', id)),
    ]);
  return {
    个班级: classes,
    份作业: homework,
    份答卷: exams,
    条考勤: marks + lessons + studied + meetings,
    条沟通记录: talks,
    条社区记录: posts + comments + circles,
  };
}

/**
 * Selects leave and attendance records. The condition on the student's present and past classes lets the query use an
 * index.
 */
const leaveAndMarks = (db: Database, id: number) =>
  db
    .selectFrom('attendance')
    .where('attendance.student_id', '=', id)
    .where('attendance.class_id', 'in', db.selectFrom('class_student').select('class_id').where('student_id', '=', id));
