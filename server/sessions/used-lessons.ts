/** Lessons that have records, so that an import cannot delete them. */

import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { usedLessonFault } from './rules.ts';

/** Returns a message for each of the lessons that has records, by its id. */
export async function usedLessonFaults(db: Database, ids: readonly number[]): Promise<Map<string, string>> {
  const idList = inIds(db, ids);
  const [marks, rolls, handouts, wares, talks, homework] = await Promise.all([
    db
      .selectFrom('session_student')
      .select('session_id as id')
      .distinct()
      .where('session_id', 'in', idList)
      // Ignores empty rows, which are created when somebody opens the lesson.
      .where((eb) =>
        eb.or([eb('status', 'is not', null), eb('teacher_remark', '!=', ''), eb('student_remark', '!=', '')]),
      )
      .execute(),
    db.selectFrom('roll_call').select('session_id as id').where('session_id', 'in', idList).execute(),
    db.selectFrom('session_handout').select('session_id as id').where('session_id', 'in', idList).execute(),
    db.selectFrom('lesson_ware').select('session_id as id').where('session_id', 'in', idList).execute(),
    db.selectFrom('communication_record').select('session_id as id').where('session_id', 'in', idList).execute(),
    db.selectFrom('homework').select('arrange_id as id').where('arrange_id', 'in', idList).execute(),
  ]);
  const faults = new Map<string, string>();
  const has = (rows: readonly { id: number | null }[], id: number) => rows.some((row) => row.id === id);
  for (const id of ids) {
    const fault = usedLessonFault({
      attendance: has(marks, id) || has(rolls, id),
      handout: has(handouts, id),
      courseware: has(wares, id),
      communication: has(talks, id),
      homework: has(homework, id),
    });
    if (fault) faults.set(String(id), fault);
  }
  return faults;
}
