/** Default points of each question type in a new homework, from the publisher's latest homework. */

import { pointsMode, pointsOf } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { UsualScore } from './publication.contract.ts';

/** Number of the latest homework that are read. */
const maxLatest = 5;

/**
 * Returns for each question type the score that is most frequent in the latest homework of the actor with such a
 * question.
 */
export async function usualScores(db: Database, actor: Actor): Promise<UsualScore[]> {
  const latest = db
    .selectFrom('homework')
    .select(['homework.id', 'homework.publish_time'])
    .where('homework.creator_id', '=', actor.id)
    .where('homework.is_set_score', '=', pointsMode)
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(maxLatest);
  const rows = await db
    .selectFrom('homework_question')
    .innerJoin(latest.as('latest'), 'latest.id', 'homework_question.homework_id')
    .select(['homework_question.ques_type', 'homework_question.score', 'latest.id', 'latest.publish_time'])
    .where('homework_question.ques_type', '<>', 6)
    .groupBy(['homework_question.ques_type', 'homework_question.score', 'latest.id', 'latest.publish_time'])
    .orderBy('latest.publish_time', 'desc')
    .orderBy('latest.id', 'desc')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('homework_question.score')
    .execute();
  const usual = new Map<number, number>();
  for (const { ques_type, score } of rows) if (!usual.has(ques_type)) usual.set(ques_type, pointsOf(pointsMode, score));
  return [...usual]
    .map(([ques_type, ques_score]) => ({ ques_type, ques_score }))
    .sort((a, b) => a.ques_type - b.ques_type);
}
