import { missingStudent } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { createRosterRows, expectedStudents, isRollCalled, rollColumns, rollState } from './roster.ts';
import { evaluationFault, missingSession, presentAttendance, remarkFault, sessionStatus } from './rules.ts';

/** Lists the students of a lesson of the actor, in the order of joining the class. */
export async function studentPage(
  db: Database,
  actor: Actor,
  id: number,
  { now, ...paging }: { page: number; limit: number; now: number },
) {
  const session = await sessionsOf(db, actor)
    .select([...rollColumns, isRollCalled.as('called')])
    .where('class_session.id', '=', id)
    .executeTakeFirst();
  if (!session) return missing(missingSession);
  const roll = rollState(session, now);
  await createRosterRows(db, id);
  const students = expectedStudents(db)
    .innerJoin('session_student', (join) =>
      join
        .onRef('session_student.session_id', '=', 'class_session.id')
        .onRef('session_student.student_id', '=', 'student.id'),
    )
    .where('class_session.id', '=', id);
  const { list: rows, ...range } = await pageOf(
    students,
    paging,
    students
      .select(['session_student.id', 'student.id as clue_id', 'student.nickname as clue_name', 'student.mobile'])
      .select(['session_student.status', 'session_student.attend_type', 'session_student.remark'])
      .select(['session_student.student_remark', 'session_student.teacher_remark'])
      .orderBy('class_student.id'),
  );
  const list = rows.map((row) => ({ ...row, status: presentAttendance(roll, row.status) }));
  return { list, ...range };
}

/**
 * Saves a lecturer's evaluation of a student; it cannot be changed later. 422: missing or too long. 404: no such
 * student in a lesson of the lecturer. 409: the lesson is not held yet, or the evaluation exists already.
 */
export async function saveEvaluation(
  db: Database,
  actor: Actor,
  { id, text, now }: { id: number; text: string; now: number },
): Promise<null | Refusal> {
  const student = await forUpdate(db)(
    db
      .selectFrom('session_student')
      .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
      .select([
        'session_student.teacher_remark',
        'class_session.start_time',
        'class_session.end_time',
        'class_session.cancelled_at',
      ])
      .where('session_student.id', '=', id)
      .where('session_student.session_id', 'in', sessionsOf(db, actor)),
    ['session_student', 'class_session'],
  ).executeTakeFirst();
  if (!student) return missing(missingStudent);
  const fault = evaluationFault({ status: sessionStatus(student, now) }, student);
  if (fault) return conflict(fault);
  const remark = text.replaceAll('\r\n', '\n').trim();
  const unfit = refuseField('remark', remarkFault(remark));
  if (unfit) return unfit;
  await db
    .updateTable('session_student')
    .set({ teacher_remark: remark, teacher_remark_by: actor.id, teacher_remark_at: now })
    .where('id', '=', id)
    .execute();
  const change = { record: 'session_student', recordId: id, action: 'evaluate', before: null, after: { remark } };
  await recordHistory(db, { actor, now, ...change });
  return null;
}
