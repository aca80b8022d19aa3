/** Homework and exams that used a question of the bank, and its results in them. */
import { sql } from 'kysely';
import { examsOf } from '#server/exams/visible.ts';
import { reportStatus } from '#server/grading/rules.ts';
import { visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { ownQuestions, withMergedIds } from '#server/questions/visible.ts';
import { discriminationIndex, facilityIndex, type ItemSums } from './item-statistics.ts';
import type { QuestionUse, QuestionUses } from './question.contract.ts';

interface StoredUse extends ItemSums {
  kind: QuestionUse['kind'];
  id: number;
  name: string;
  at: number;
  full: number;
  /** Id of the copied question. */
  source: number;
  isVisible: boolean;
}

/** Maximum number of uses that are listed; the totals cover all. */
const maxUses = 50;

/**
 * Lists published homework and exams with copies of the user's own question, or of one merged into it, latest first.
 * Only those that the user sees are named; the totals cover all. 404: it is not the user's question.
 */
export async function questionUsesOf(db: Database, actor: Actor, id: number): Promise<QuestionUses | Refusal> {
  const own = await ownQuestions(db, actor).select('question.id').where('question.id', '=', id).executeTakeFirst();
  if (!own) return missing(missingQuestion);
  const sources = [...(await withMergedIds(db, [id])).keys()];
  const uses = [...(await homeworkUses(db, actor, sources)), ...(await examUses(db, actor, sources))];
  const visible = uses.filter(({ isVisible }) => isVisible).sort((one, other) => other.at - one.at);
  return {
    list: visible.slice(0, maxUses).map((use) => ({
      kind: use.kind,
      id: use.id,
      question_id: use.source,
      name: use.name,
      at: use.at,
      graded: use.count,
      facility: facilityIndex(use, use.full),
      discrimination: discriminationIndex(use),
    })),
    total: uses.length,
    hidden: uses.length - visible.length,
    ...figuresOver(uses),
  };
}

/**
 * Facility over all graded reports. Discrimination is the mean over the uses, weighted by reports, because the reports
 * of different papers have different totals.
 */
function figuresOver(uses: readonly StoredUse[]): Pick<QuestionUses, 'graded' | 'facility' | 'discrimination'> {
  const graded = uses.reduce((sum, { count }) => sum + count, 0);
  const most = uses.reduce((sum, { count, full }) => sum + count * full, 0);
  const scored = uses.reduce((sum, { item }) => sum + item, 0);
  const indices = uses.flatMap((use) => {
    const index = discriminationIndex(use);
    return index === null ? [] : [{ index, count: use.count }];
  });
  const weight = indices.reduce((sum, { count }) => sum + count, 0);
  const weighted = indices.reduce((sum, { index, count }) => sum + index * count, 0);
  return {
    graded,
    facility: most === 0 ? null : Math.floor((scored * 100) / most),
    discrimination: weight === 0 ? null : Math.round((weighted * 10) / weight) / 10,
  };
}

/** Sums over the scores of graded reports; a material question scores the sum of its parts. */
const itemSums = sql<ItemSums>`count(scored.total) as "count", coalesce(sum(scored.total), 0) as "total",
  coalesce(sum(scored.total * scored.total), 0) as "totalSquares", coalesce(sum(scored.item), 0) as "item",
  coalesce(sum(scored.item * scored.item), 0) as "itemSquares", coalesce(sum(scored.item * scored.total), 0) as "itemByTotal"`;

async function homeworkUses(db: Database, actor: Actor, sources: readonly number[]): Promise<StoredUse[]> {
  const { rows } = await sql<Omit<StoredUse, 'kind' | 'isVisible'>>`
    with copy as (
      select homework_question.id, homework_question.source_id, homework_question.score, homework.id as homework_id, homework.name, homework.publish_time as at
      from homework_question join homework on homework.id = homework_question.homework_id
      where homework_question.source_id in (${sql.join(sources)}) and homework_question.parent_id is null and homework.status = 1
    ), scored as (
      select copy.id, cast(report.user_score as bigint) as total, coalesce(sum(answer.score), 0) as item
      from copy
        join report on report.homework_id = copy.homework_id and report.status = ${reportStatus.graded}
        join homework_question as asked on asked.homework_id = copy.homework_id
          and (asked.id = copy.id or asked.parent_id = copy.id)
        left join answer on answer.report_id = report.id and answer.question_id = asked.id
      group by copy.id, report.id, report.user_score
    )
    select copy.homework_id as "id", copy.name as "name", copy.at as "at", copy.source_id as "source", copy.score as "full", ${itemSums}
    from copy left join scored on scored.id = copy.id
    group by copy.id, copy.homework_id, copy.name, copy.at, copy.source_id, copy.score`.execute(db);
  const seen = await idsAmong(rows, (ids) =>
    db
      .selectFrom('homework')
      .select('id')
      .where('id', 'in', ids)
      .where('id', 'in', visibleHomeworkIds(db, actor))
      .execute(),
  );
  return rows.map((row) => ({ ...row, kind: 'homework', isVisible: seen.has(row.id) }));
}

async function examUses(db: Database, actor: Actor, sources: readonly number[]): Promise<StoredUse[]> {
  const { rows } = await sql<Omit<StoredUse, 'kind' | 'isVisible'>>`
    with copy as (
      select exam_question.id, exam_question.source_id, exam_question.score, exam.id as exam_id, exam.name,
        coalesce(exam.published_at, exam.start_at, exam.created_at) as at
      from exam_question join exam on exam.id = exam_question.exam_id
      where exam_question.source_id in (${sql.join(sources)}) and exam_question.parent_id is null and exam.status = 1
    ), scored as (
      select copy.id, cast(exam_report.user_score as bigint) as total, coalesce(sum(exam_answer.score), 0) as item
      from copy
        join exam_report on exam_report.exam_id = copy.exam_id and exam_report.test_status = 3 and exam_report.is_effective = 1
        join exam_question as asked on asked.exam_id = copy.exam_id and (asked.id = copy.id or asked.parent_id = copy.id)
        left join exam_answer on exam_answer.report_id = exam_report.id and exam_answer.question_id = asked.id
      group by copy.id, exam_report.id, exam_report.user_score
    )
    select copy.exam_id as "id", copy.name as "name", copy.at as "at", copy.source_id as "source", copy.score as "full", ${itemSums}
    from copy left join scored on scored.id = copy.id
    group by copy.id, copy.exam_id, copy.name, copy.at, copy.source_id, copy.score`.execute(db);
  const seen = await idsAmong(rows, (ids) =>
    db.selectFrom('exam').select('id').where('id', 'in', ids).where('id', 'in', examsOf(db, actor)).execute(),
  );
  return rows.map((row) => ({ ...row, kind: 'exam', isVisible: seen.has(row.id) }));
}

async function idsAmong(
  rows: readonly { id: number }[],
  select: (ids: number[]) => Promise<{ id: number }[]>,
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  return new Set((await select(rows.map(({ id }) => id))).map(({ id }) => id));
}
