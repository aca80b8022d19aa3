/** One question over all students (`by=question`): where a report stands among them, and who comes next. */
import { createHash } from 'node:crypto';
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { answerStatus, isSubjective, markOf } from '#server/homework/scoring.ts';
import { missing } from '#server/http/outcome.ts';
import { finishableReports } from './grade.ts';
import { statusOf } from './paper.ts';
import { seenReport, unknownReport } from './review.ts';
import { reportsSeen } from './visible.ts';

/** Neighbours that are shown on each side of the report. */
const shownEachSide = 30;

/**
 * The reports of the homework that are not finished, in the order of handing in, or shuffled: the same shuffle for
 * every grader and every time, another for each question, so that nobody is always graded last.
 */
export async function answersToQuestion(
  db: Database,
  actor: Actor,
  asked: {
    report_id?: number | undefined;
    class_id?: number | undefined;
    ques_id?: number | undefined;
    skip: readonly number[];
    order?: 'shuffled' | undefined;
  },
) {
  const head = await seenReport(db, actor, asked);
  if (!head) return unknownReport();
  const question = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type'])
    .where('id', '=', asked.ques_id ?? 0)
    .where('homework_id', '=', head.homework_id)
    .executeTakeFirst();
  if (!question || !isSubjective(question.ques_type)) return missing('题目不存在');

  let matching = reportsSeen(db, actor)
    .innerJoin('answer', (join) =>
      join.onRef('answer.report_id', '=', 'report.id').on('answer.question_id', '=', question.id),
    )
    .select(['report.id', 'answer.status', 'answer.score'])
    .where('report.homework_id', '=', head.homework_id)
    .where((eb) => eb.or([eb('report.status', '=', 2), eb('report.id', '=', head.id)]))
    .orderBy('report.submit_time')
    .orderBy('report.id');
  if (asked.class_id !== undefined) matching = matching.where('report.class_id', '=', asked.class_id);
  const inOrder = await matching.execute();
  const rows = asked.order === 'shuffled' ? shuffled(inOrder, question.id) : inOrder;

  const count = (status: number) => rows.filter((row) => row.status === status).length;
  const position = Math.max(
    0,
    rows.findIndex((row) => row.id === head.id),
  );
  const first = Math.max(0, position - shownEachSide);
  const shown = rows.slice(first, position + shownEachSide + 1);
  const nicknames = await nicknamesOf(
    db,
    shown.map((row) => row.id),
  );
  const skipped = new Set(asked.skip);
  const onwards = [...rows.slice(position + 1), ...rows.slice(0, position)];
  const next = onwards.find((row) => row.status === answerStatus.waiting && !skipped.has(row.id));
  const { finishable } = await finishableReports(db, actor, head.homework_id, asked.class_id)
    .select((eb) => eb.fn.countAll<number>().as('finishable'))
    .executeTakeFirstOrThrow();
  const mode = head.is_set_score as 1 | 2;
  return {
    counts: {
      total: rows.length,
      right: count(answerStatus.right),
      wrong: count(answerStatus.wrong),
      unanswered: count(answerStatus.unanswered),
      waiting: count(answerStatus.waiting),
      reviewed: count(answerStatus.reviewed),
    },
    position,
    list: shown.map((row, index) => ({
      report_id: row.id,
      position: first + index,
      nickname: nicknames.get(row.id) ?? '',
      status: statusOf(row),
      user_score: row.score === null ? null : markOf(mode, row.score),
    })),
    next_report_id: next?.id ?? null,
    finishable_count: finishable,
  };
}

function shuffled<Row extends { id: number }>(rows: Row[], seed: number): Row[] {
  const place = (row: Row) => createHash('md5').update(`${seed} ${row.id}`).digest('hex');
  const places = new Map(rows.map((row) => [row.id, place(row)]));
  return rows.toSorted((one, other) => ((places.get(one.id) as string) < (places.get(other.id) as string) ? -1 : 1));
}

async function nicknamesOf(db: Database, reportIds: number[]): Promise<Map<number, string>> {
  if (reportIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('report')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['report.id', 'student.nickname'])
    .where('report.id', 'in', reportIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row.nickname]));
}
