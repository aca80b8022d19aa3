/** Grading one homework question of all students (`by=question` in the address). */

import { isSubjective, reportStatus } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { buildQuestionQueue, queueAnswer } from './by-question-queue.ts';
import { finishableReports } from './grade.ts';
import { requireReadableReport } from './review.ts';
import { visibleReportsById } from './visible.ts';

/** Returns the queue of the homework's unfinished reports; see `buildQuestionQueue` for the order. */
export async function questionQueue(
  db: Database,
  actor: Actor,
  request: {
    report_id?: number | undefined;
    class_id?: number | undefined;
    ques_id?: number | undefined;
    skip: readonly number[];
    order?: 'shuffled' | undefined;
  },
) {
  const head = await requireReadableReport(db, actor, request);
  if (isRefusal(head)) return head;
  const question = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type'])
    .where('id', '=', request.ques_id ?? 0)
    .where('homework_id', '=', head.homework_id)
    .executeTakeFirst();
  if (!question || !isSubjective(question.ques_type)) return missing(missingQuestion);

  let answers = visibleReportsById(db, actor)
    .where('homework.id', '=', head.homework_id)
    .innerJoin('answer', (join) =>
      join.onRef('answer.report_id', '=', 'report.id').on('answer.question_id', '=', question.id),
    )
    .select(['report.id as id', 'report.submit_time as submit_time', 'answer.status', 'answer.score']);
  if (request.class_id !== undefined) answers = answers.where('report.class_id', '=', request.class_id);
  // A union lets each half use an index. With an `or`, SQLite fails on a large school ("internal query planner error").
  const inOrder = await answers
    .where('report.status', '=', reportStatus.waiting)
    .union(answers.where('report.id', '=', head.id))
    .orderBy('submit_time')
    .orderBy('id')
    .execute();
  const { finishable } = await finishableReports(db, actor, head.homework_id, request.class_id)
    .select((eb) => eb.fn.countAll<number>().as('finishable'))
    .executeTakeFirstOrThrow();
  const queue = buildQuestionQueue(inOrder, {
    hereId: head.id,
    seed: question.id,
    order: request.order,
    skip: request.skip,
  });
  const nicknames = await nicknamesOf(
    db,
    queue.shown.map(({ id }) => id),
  );
  return queueAnswer(queue, { mode: head.is_set_score, nicknames, finishable });
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
