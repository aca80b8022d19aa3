/** Equal answers graded together, listed by name first, and taken back again. */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { recordHistory } from '#server/db/history.ts';
import { locked } from '#server/db/search.ts';
import { answerStatus } from '#server/homework/scoring.ts';
import { gradeAnswer, restoreAnswer } from '#server/homework/submission.ts';
import type { BodyOf } from '#server/http/call.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/http/outcome.ts';
import { type SameAnswer, type storeSame, togetherMost } from './contract.ts';
import { seenQuestion } from './grade.ts';
import { readMark } from './mark.ts';
import { unknownReport } from './review.ts';
import { reportsSeen } from './visible.ts';

interface Asked {
  report_id?: number | undefined;
  class_id?: number | undefined;
  ques_id?: number | undefined;
}

/** The other waiting answers with the same text, oldest first; none where there is nothing to compare. */
export async function equalAnswers(
  db: Database,
  actor: Actor,
  { report_id, class_id, ques_id }: Asked,
): Promise<SameAnswer[] | Refusal> {
  const question = await seenQuestion(db, actor, report_id, ques_id);
  if (!question) return unknownReport();
  let others = reportsSeen(db, actor)
    .innerJoin('answer', 'answer.report_id', 'report.id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .innerJoin('class', 'class.id', 'report.class_id')
    .where('report.homework_id', '=', question.homework_id)
    .where('report.status', '=', 2)
    .where('report.id', '<>', report_id ?? 0)
    .where('answer.question_id', '=', ques_id ?? 0)
    .where('answer.status', '=', answerStatus.waiting)
    .where('answer.answer_key', '=', (eb) =>
      eb
        .selectFrom('answer as this')
        .select('this.answer_key')
        .where('this.report_id', '=', report_id ?? 0)
        .where('this.question_id', '=', ques_id ?? 0),
    )
    .select(['report.id as report_id', 'student.nickname', 'class.name as class_name', 'answer.version'])
    .orderBy('report.submit_time')
    .orderBy('report.id')
    .limit(togetherMost);
  if (class_id !== undefined) others = others.where('report.class_id', '=', class_id);
  return others.execute();
}

/**
 * The same mark for this answer and the listed ones: all or none. Refused where one of them is no longer equal and
 * waiting, naming whose.
 */
export async function gradeEqual(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof storeSame>,
  now: number,
): Promise<{ batch_id: number; count: number } | Refusal> {
  const { report_id, ques_id } = body;
  const question = await seenQuestion(db, actor, report_id, ques_id);
  if (!question || report_id === undefined) return unknownReport();
  if (question.full === null || ques_id === undefined) return missing('题目不存在');
  const mark = readMark(question.is_set_score as 1 | 2, question.full, body.user_score);
  if (isRefusal(mark)) return mark;
  if (body.answers.length === 0) return invalid({ answers: ['请选择要一并评分的学员'] });
  const equal = await equalAnswers(db, actor, body);
  if (isRefusal(equal)) return equal;
  const listed = new Map(equal.map((answer) => [answer.report_id, answer]));
  const gone = body.answers.filter(({ report_id: id, version }) => listed.get(id)?.version !== version);
  if (gone.length > 0) {
    const names = await nicknamesOf(
      db,
      gone.map(({ report_id: id }) => id),
    );
    return conflict(`${names.join('、')}的答案已被批改或不再相同，请重新选择`);
  }

  const together = [{ report_id, version: body.version ?? undefined }, ...body.answers];
  const { id: batch_id } = await db
    .insertInto('grading_batch')
    .values({ staff_id: actor.id, question_id: ques_id, at: now, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const answer of together) {
    const before = await standing(db, answer.report_id, ques_id);
    const graded = await gradeAnswer(db, actor, {
      reportId: answer.report_id,
      questionId: ques_id,
      version: answer.version,
      score: mark.score,
      comment: body.review_comment,
      now,
    });
    if (isRefusal(graded)) return graded;
    const { id, ...stood } = before;
    await db
      .insertInto('grading_batch_answer')
      .values({ batch_id, answer_id: id, version: graded.version, before: JSON.stringify(stood) })
      .execute();
  }
  return { batch_id, count: together.length };
}

const standing = (db: Database, reportId: number, questionId: number) =>
  db
    .selectFrom('answer')
    .select(['id', 'status', 'score', 'review_comment'])
    .where('report_id', '=', reportId)
    .where('question_id', '=', questionId)
    .executeTakeFirstOrThrow();

/** How many answers are as they were before, and the names of those that somebody saved or finished since. */
export async function undoEqual(
  db: Database,
  actor: Actor,
  batchId: number | undefined,
  now: number,
): Promise<{ undone: number; kept: string[] } | Refusal> {
  const batch = await db
    .selectFrom('grading_batch')
    .selectAll()
    .where('id', '=', batchId ?? 0)
    .where('staff_id', '=', actor.id)
    .$call(locked(db))
    .executeTakeFirst();
  if (!batch) return missing();
  if (batch.undone_at !== null) return conflict('已撤销，不能重复撤销');
  const answers = await db
    .selectFrom('grading_batch_answer')
    .innerJoin('answer', 'answer.id', 'grading_batch_answer.answer_id')
    .select(['answer.id', 'answer.report_id', 'grading_batch_answer.version', 'grading_batch_answer.before'])
    .where('batch_id', '=', batch.id)
    .orderBy('answer.id')
    .execute();
  const kept: number[] = [];
  for (const answer of answers) {
    const before = JSON.parse(answer.before) as { status: number; score: number | null; review_comment: string };
    const restored = await restoreAnswer(db, { answerId: answer.id, version: answer.version, before });
    if (!restored) {
      kept.push(answer.report_id);
      continue;
    }
    await recordHistory(db, {
      actor,
      now,
      record: 'answer',
      recordId: answer.id,
      action: 'undo',
      before: restored,
      after: { status: before.status, score: before.score },
    });
  }
  await db.updateTable('grading_batch').set({ undone_at: now }).where('id', '=', batch.id).execute();
  return { undone: answers.length - kept.length, kept: await nicknamesOf(db, kept) };
}

async function nicknamesOf(db: Database, reportIds: number[]): Promise<string[]> {
  if (reportIds.length === 0) return [];
  const rows = await db
    .selectFrom('report')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select('student.nickname')
    .where('report.id', 'in', reportIds)
    .orderBy('report.id')
    .execute();
  return rows.map(({ nickname }) => nickname);
}
