/** The students of a scheduled lesson and what their lecturer writes about them. */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { recordHistory } from '#server/db/history.ts';
import { locked } from '#server/db/search.ts';
import { conflict, invalid, missing, type Refusal } from '#server/http/outcome.ts';
import { evaluationFault, evaluationLimit } from './contract.ts';
import { drawUpRoster, expectedStudents } from './roster.ts';
import { sessionStatus } from './status.ts';
import { sessionsOf } from './visible.ts';

/** One page of the students of one of the actor's sessions, in the order in which they joined its class. */
export async function studentPage(db: Database, actor: Actor, id: number, paging: { page: number; limit: number }) {
  const { page, limit } = paging;
  const own = await sessionsOf(db, actor).where('class_session.id', '=', id).executeTakeFirst();
  if (!own) return missing('课次不存在');
  await drawUpRoster(db, id);
  const students = expectedStudents(db)
    .innerJoin('session_student', (join) =>
      join
        .onRef('session_student.session_id', '=', 'class_session.id')
        .onRef('session_student.student_id', '=', 'student.id'),
    )
    .where('class_session.id', '=', id);
  const { total } = await students.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await students
    .select([
      ...(['session_student.id', 'student.id as clue_id', 'student.nickname as clue_name'] as const),
      ...(['student.mobile', 'session_student.status', 'session_student.attend_type'] as const),
      ...(['session_student.remark', 'session_student.student_remark', 'session_student.teacher_remark'] as const),
    ])
    .orderBy('class_student.id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { list, total, page, limit };
}

/**
 * Writes a lecturer's evaluation of a student in a session that was held, once (document 3, section 4). Refused: 422
 * none or too long, 404 no student of a session of theirs, 409 not held, or written already.
 */
export async function evaluate(
  db: Database,
  actor: Actor,
  { id, text, now }: { id: number; text: string; now: number },
): Promise<null | Refusal> {
  const student = await locked(db)(
    db
      .selectFrom('session_student')
      .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
      .select([
        ...(['session_student.teacher_remark', 'class_session.start_time'] as const),
        ...(['class_session.end_time', 'class_session.cancelled_at'] as const),
      ])
      .where('session_student.id', '=', id)
      .where('session_student.session_id', 'in', sessionsOf(db, actor)),
    ['session_student', 'class_session'],
  ).executeTakeFirst();
  if (!student) return missing('学员不存在');
  const fault = evaluationFault({ status: sessionStatus(student, now) }, student);
  if (fault) return conflict(fault);
  const remark = text.replaceAll('\r\n', '\n').trim();
  if (remark === '') return invalid({ remark: ['请输入评价内容'] });
  if ([...remark].length > evaluationLimit) return invalid({ remark: [`评价内容不能超过${evaluationLimit}个字`] });
  await db
    .updateTable('session_student')
    .set({ teacher_remark: remark, teacher_remark_by: actor.id, teacher_remark_at: now })
    .where('id', '=', id)
    .execute();
  const change = { record: 'session_student', recordId: id, action: 'evaluate', before: null, after: { remark } };
  await recordHistory(db, { actor, now, ...change });
  return null;
}
