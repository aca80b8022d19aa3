/** When students are in a class: what attendance, homework and lessons expect of them follows from it. */
import type { Database } from '#server/platform/db/engine.ts';

/** A student leaves a class; from then on they are expected in none of its lessons. */
export async function leaveClass(
  db: Database,
  { classId, studentId, now }: { classId: number; studentId: number; now: number },
): Promise<void> {
  await db
    .updateTable('class_student')
    .set({ left_at: now })
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .where('left_at', 'is', null)
    .execute();
}

/** A student who left comes back: the stay that ended is kept, so that its lessons still count. */
export async function returnToClass(
  db: Database,
  { classId, studentId, now }: { classId: number; studentId: number; now: number },
): Promise<void> {
  const last = await db
    .selectFrom('class_student')
    .select(['id', 'joined_at', 'left_at'])
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  if (last?.left_at == null) return;
  await db
    .insertInto('class_earlier_stay')
    .values({ class_id: classId, student_id: studentId, joined_at: last.joined_at, left_at: last.left_at })
    .onConflict((known) =>
      known.columns(['class_id', 'student_id', 'joined_at']).doUpdateSet({ left_at: last.left_at as number }),
    )
    .execute();
  await db.updateTable('class_student').set({ joined_at: now, left_at: null }).where('id', '=', last.id).execute();
}
