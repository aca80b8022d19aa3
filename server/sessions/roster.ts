/** Who belongs to a scheduled lesson. Shared by everything that counts, lists or addresses its students. */
import { sql } from 'kysely';
import type { Database } from '#server/db/engine.ts';

/**
 * The students whom sessions expect, as rows of class_session, class_student and student: members of the class who
 * joined before it ended and had not left when it began.
 */
export function expectedStudents(db: Database) {
  return db
    .selectFrom('class_session')
    .innerJoin('class_student', (join) =>
      join
        .onRef('class_student.class_id', '=', 'class_session.class_id')
        .onRef('class_student.joined_at', '<', 'class_session.end_time'),
    )
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where((eb) =>
      eb.or([
        eb('class_student.left_at', 'is', null),
        eb('class_student.left_at', '>', eb.ref('class_session.start_time')),
      ]),
    );
}

/** Whether a session expects a student. */
export async function isExpected(db: Database, sessionId: number, studentId: number): Promise<boolean> {
  const found = await expectedStudents(db)
    .select('student.id')
    .where('class_session.id', '=', sessionId)
    .where('student.id', '=', studentId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Gives every expected student of a session the row by which they are evaluated. Nothing where all have one. */
export async function drawUpRoster(db: Database, sessionId: number): Promise<void> {
  const without = expectedStudents(db)
    .select(['class_session.id as session_id', 'student.id as student_id', sql<null>`null`.as('status')])
    .where('class_session.id', '=', sessionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_student')
            .select('session_student.id')
            .whereRef('session_student.session_id', '=', 'class_session.id')
            .whereRef('session_student.student_id', '=', 'student.id'),
        ),
      ),
    );
  const missing = await without.execute();
  if (missing.length === 0) return;
  for (let from = 0; from < missing.length; from += 500) {
    await db
      .insertInto('session_student')
      .values(
        missing
          .slice(from, from + 500)
          .map((row) => ({ ...row, set_by: null, set_at: null, teacher_remark_by: null, teacher_remark_at: null })),
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'student_id']).doNothing())
      .execute();
  }
}

/** Students of a session: expected, present, on leave, absent. */
export async function rosterCounts(db: Database, sessionId: number) {
  const { expected, ...counts } = await expectedStudents(db)
    .leftJoin('session_student', (join) =>
      join
        .onRef('session_student.session_id', '=', 'class_session.id')
        .onRef('session_student.student_id', '=', 'student.id'),
    )
    .select((eb) => {
      const having = (status: 1 | 2 | 3) => eb.fn.countAll<number>().filterWhere('session_student.status', '=', status);
      return [
        eb.fn.countAll<number>().as('expected'),
        having(1).as('arrived'),
        having(2).as('leave'),
        having(3).as('truants'),
      ];
    })
    .where('class_session.id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return { should_arrive: expected, ...counts };
}
