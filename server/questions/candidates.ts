/** Draws questions of a bank at random, by indexes alone (`question_drawn_own`, `question_drawn_public`). */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';

export interface Candidates {
  /** Owner of the bank, or the public bank. */
  bank: number | 'public';
  ques_type?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Ids of knowledge points; a question must have one of them. */
  points?: readonly number[] | undefined;
  /** Folded tags of this user; a question must have all of them. */
  tagged?: { staffId: number; tags: readonly string[] } | undefined;
  /** Leaves out questions that this user gave since a time, in unix seconds. */
  unused?: { staffId: number; since: number } | undefined;
}

/** Selects the questions that may be chosen, except `excluded`. */
function candidates(
  db: Database,
  { bank, ques_type, from, to, points, tagged, unused }: Candidates,
  excluded: readonly number[],
) {
  let rows = db.selectFrom('question').where('question.parent_id', 'is', null);
  // A literal, because the index covers public questions only.
  if (bank === 'public') rows = rows.where('question.is_public', '=', sql.lit(1));
  else rows = rows.where('question.owner_id', '=', bank);
  if (ques_type !== undefined) rows = rows.where('question.ques_type', '=', ques_type);
  if (from !== undefined) rows = rows.where('question.facility_value', '>=', from);
  if (to !== undefined) rows = rows.where('question.facility_value', '<=', to);
  if (points) rows = rows.where('question.point_id', 'in', [...points]);
  for (const tag of tagged?.tags ?? []) {
    const ids = db
      .selectFrom('question_tag')
      .select('question_id')
      .where('owner_id', '=', tagged?.staffId ?? 0)
      .where('folded', '=', tag);
    rows = rows.where('question.id', 'in', ids);
  }
  if (excluded.length > 0) rows = rows.where('question.id', 'not in', [...excluded]);
  if (unused) rows = rows.where('question.id', 'not in', givenSince(db, unused));
  return rows;
}

/** Selects the bank questions of the user's homework and exams that were published since a time. */
function givenSince(db: Database, { staffId, since }: NonNullable<Candidates['unused']>) {
  const inHomework = db
    .selectFrom('homework')
    .innerJoin('homework_question', 'homework_question.homework_id', 'homework.id')
    .select('homework_question.source_id')
    .where('homework.creator_id', '=', staffId)
    .where('homework.publish_time', '>=', since)
    .where('homework.status', '=', 1)
    .where('homework_question.source_id', 'is not', null);
  const inExams = db
    .selectFrom('exam')
    .innerJoin('exam_question', 'exam_question.exam_id', 'exam.id')
    .select('exam_question.source_id')
    .where('exam.creator_id', '=', staffId)
    .where((eb) => eb(eb.fn.coalesce('exam.published_at', 'exam.start_at', 'exam.created_at'), '>=', since))
    .where('exam.status', '=', 1)
    .where('exam_question.source_id', 'is not', null);
  return inHomework.union(inExams).$castTo<number>();
}

export const countCandidates = (db: Database, search: Candidates, excluded: readonly number[]) =>
  countOf(candidates(db, search, excluded));

/**
 * Returns ids in the order of the seed. `after`: id of a question; the order then begins behind it and goes round, so
 * that one exchange after another meets every question.
 */
export async function drawCandidates(
  db: Database,
  search: Candidates,
  { seed, excluded, limit, after }: { seed: number; excluded: readonly number[]; limit: number; after?: number },
): Promise<number[]> {
  const place = placeInOrder(sql.ref('question.id'), seed);
  let rows = candidates(db, search, excluded).select('question.id');
  if (after !== undefined) {
    rows = rows.orderBy(sql`case when ${place} > ${placeInOrder(sql`${after}`, seed)} then 0 else 1 end`);
  }
  const drawn = await rows.orderBy(place).orderBy('question.id').limit(limit).execute();
  return drawn.map(({ id }) => id);
}

/** True if the search finds the question. */
export async function isCandidate(db: Database, search: Candidates, id: number): Promise<boolean> {
  const found = await candidates(db, search, []).select('question.id').where('question.id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/** A prime below 2^31, so that the square of a remainder fits 64 bits. */
const prime = 2_147_483_647;

/** Places an id in the order of a seed: the square of a linear function, modulo a prime. */
function placeInOrder(id: RawBuilder<unknown>, seed: number) {
  const factor = 1 + Number((BigInt(seed + 1) * 48_271n) % BigInt(prime - 1));
  const shift = Number((BigInt(factor) * 69_621n) % BigInt(prime));
  const whole = (number: number) => sql`cast(${number} as bigint)`;
  const place = sql`((cast(${id} as bigint) * ${whole(factor)} + ${whole(shift)}) % ${whole(prime)})`;
  return sql<number>`(${place} * ${place} % ${whole(prime)})`;
}
