import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { homeworkOf } from './visible.ts';

/** Homework whose names are looked at, and names of one kind that are given. */
const latest = 200;
const most = 15;

/** Names that somebody may mean who filters homework: those of the latest that they see, the latest first. */
export async function namesOfHomework(db: Database, actor: Actor) {
  const rows = await db
    .selectFrom('homework')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select(['course.title as course', 'period.title as period', 'creator.real_name as publisher'])
    .where('homework.id', 'in', homeworkOf(db, actor))
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(latest)
    .execute();
  return {
    courses: firstOf(rows.map(({ course }) => course)),
    periods: firstOf(rows.map(({ period }) => period)),
    publishers: firstOf(rows.map(({ publisher }) => publisher)),
  };
}

const firstOf = (names: (string | null)[]): string[] =>
  [...new Set(names)].filter((name) => name !== null && name !== '').slice(0, most) as string[];
