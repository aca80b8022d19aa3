/** The header of a homework that was given in a scheduled lesson. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { lessonOfHomework } from '#server/sessions/lesson.ts';
import { headerOf } from './header.ts';

/** `arrangeData` is null for homework that was given in no lesson. */
export async function arrangedHeader(db: Database, actor: Actor, homeworkId: number, timezone: string) {
  const header = await headerOf(db, actor, { homeworkId });
  return isRefusal(header) ? header : { ...header, arrangeData: await lessonOfHomework(db, homeworkId, timezone) };
}
