/** Header of a homework that was given in a scheduled lesson. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { lessonOfHomework } from '#server/sessions/lesson.ts';
import { headerOf } from './header.ts';

/** Returns the header with its lesson. `arrangeData` is null for homework without a lesson. */
export async function lessonHeader(db: Database, actor: Actor, homeworkId: number, timezone: string) {
  const header = await headerOf(db, actor, { homeworkId });
  if (isRefusal(header)) return header;
  const lesson = await lessonOfHomework(db, homeworkId, timezone);
  return { ...header, arrangeData: lesson && { ...lesson, session_id: await ownLesson(db, actor, homeworkId) } };
}

/** Returns the id of the lesson if it is the actor's, who may then see the notes of talks; else null. */
async function ownLesson(db: Database, actor: Actor, homeworkId: number): Promise<number | null> {
  const lesson = await db
    .selectFrom('homework')
    .select('homework.arrange_id')
    .where('homework.id', '=', homeworkId)
    .where('homework.arrange_id', 'in', sessionsOf(db, actor))
    .executeTakeFirst();
  return lesson?.arrange_id ?? null;
}
