/** Handouts that lecturers have handed in for their lessons. */
import { day, noon, type TestSchool } from './school.ts';

/** A handout of a lesson of its own, which waits for a decision; answers the lesson's id. */
export async function addHandout(
  { database: { db }, people, classes, courses }: TestSchool,
  name: string,
): Promise<number> {
  const { id } = await db
    .insertInto('class_session')
    .values({
      class_id: classes.k1,
      course_id: courses.shared,
      period_id: null,
      lecturer_id: people.teacher.id,
      room_id: null,
      start_time: noon + day,
      end_time: noon + day + 3600,
      cancelled_at: null,
      created_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const uploaded = { uploaded_by: people.teacher.id, uploaded_at: noon };
  const { id: file_id } = await db
    .insertInto('ware_file')
    .values({ storage_key: `none-${id}`, name: `${name}.pdf`, extension: 'pdf', size: 1, ...uploaded })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('session_handout')
    .values({ session_id: id, file_id, file_name: `${name}.pdf`, ...uploaded })
    .execute();
  return id;
}
