import { day, noon, type TestSchool } from './school.ts';
import { insertSession } from './sessions.ts';

/** Creates a lesson with a handout that waits for approval. Returns the id of the lesson. */
export async function addHandout(school: TestSchool, name: string): Promise<number> {
  const { database, people } = school;
  const { db } = database;
  const id = await insertSession(school, { start_time: noon + day });
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
