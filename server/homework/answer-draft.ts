/** Saved drafts of students' answers. Optimistic locking: a save sends the version that it was based on. */

import { answerMessages } from '#server/grading/rules.ts';
import { answerFaults, type QuestionShape, toQuestionShape } from '#server/grading/submitted-answer.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { homeworkMessages, missingHomework, submitFault } from './rules.ts';

interface DraftAnswer {
  ques_id: number;
  user_answer: string;
}

interface SentDraft {
  homeworkId: number;
  studentId: number;
  /** Version of the draft on the student's device; 0 if it has none. */
  version: number;
  answers: readonly DraftAnswer[];
  /** Time spent on the answers, in seconds. */
  answerTime: number;
  /** Unix seconds. */
  now: number;
}

export interface AnswerDraft {
  version: number;
  answers: DraftAnswer[];
  answer_time: number;
  saved_at: number;
}

/**
 * Saves a draft. Idempotent: saving the same content again returns the stored version. 404: no such homework. 409: the
 * homework can no longer be submitted, or another device has saved a draft meanwhile (`data` is the stored draft). 422:
 * answers that do not fit the questions.
 */
export async function storeDraft(
  db: Database,
  { homeworkId, studentId, version, answers, answerTime, now }: SentDraft,
): Promise<{ version: number; saved_at: number } | Refusal> {
  const report = await lockOpenReport(db, { homeworkId, studentId, now });
  if (isRefusal(report)) return report;
  const text = JSON.stringify(answers);
  const stored = await answerDraftOf(db, report.id);
  const storedVersion = stored?.version ?? 0;
  if (stored && storedVersion !== version) {
    const isSame = JSON.stringify(stored.answers) === text;
    if (isSame) return { version: stored.version, saved_at: stored.saved_at };
    return conflict(answerMessages.otherDevice, stored);
  }
  if (storedVersion !== version) return conflict(homeworkMessages.draftGone, null);
  const faults = answerFaults(answers, await askedQuestions(db, homeworkId), homeworkMessages.wrongAnswers);
  if (faults) return invalid(faults);
  const answer_time = Math.min(answerTime, Math.max(0, now - report.publish_time));
  const row = { version: version + 1, answers: text, answer_time, saved_at: now };
  await db
    .insertInto('answer_draft')
    .values({ report_id: report.id, ...row })
    .onConflict((known) => known.column('report_id').doUpdateSet(row))
    .execute();
  return { version: row.version, saved_at: now };
}

/** Returns the student's report, locked until the transaction ends. 409: it can no longer be submitted. */
async function lockOpenReport(
  db: Database,
  { homeworkId, studentId, now }: { homeworkId: number; studentId: number; now: number },
) {
  const report = await forUpdate(db)(
    db
      .selectFrom('report')
      .innerJoin('homework', 'homework.id', 'report.homework_id')
      .select(['report.id', 'report.status'])
      .select(['homework.status as homework_status', 'homework.publish_time', 'homework.ending_time'])
      .where('report.homework_id', '=', homeworkId)
      .where('report.student_id', '=', studentId),
    ['report'],
  ).executeTakeFirst();
  if (!report) return missing(missingHomework);
  const homework = { status: report.homework_status, ending_time: report.ending_time };
  return refuseFor('conflict', submitFault(homework, report, now)) ?? report;
}

async function askedQuestions(db: Database, homeworkId: number): Promise<Map<number, QuestionShape>> {
  const questions = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'ques_option'])
    .where('homework_id', '=', homeworkId)
    .execute();
  return new Map(questions.map(({ id, ...question }) => [id, toQuestionShape(question)]));
}

export async function answerDraftOf(db: Database, reportId: number): Promise<AnswerDraft | undefined> {
  const row = await db
    .selectFrom('answer_draft')
    .select(['version', 'answers', 'answer_time', 'saved_at'])
    .where('report_id', '=', reportId)
    .executeTakeFirst();
  return row && { ...row, answers: JSON.parse(row.answers) as DraftAnswer[] };
}

/**
 * Locks reports of one homework until the transaction ends, and returns them with their drafts. Times in unix seconds.
 */
export async function lockReportsWithDrafts(db: Database, reportIds: readonly number[]) {
  const rows = await forUpdate(db)(
    db
      .selectFrom('report')
      .innerJoin('homework', 'homework.id', 'report.homework_id')
      .leftJoin('answer_draft', 'answer_draft.report_id', 'report.id')
      .select(['report.id', 'report.status', 'homework.publish_time', 'homework.ending_time'])
      .select('homework.status as homework_status')
      .select(['answer_draft.version', 'answer_draft.answers', 'answer_draft.answer_time', 'answer_draft.saved_at'])
      .where('report.id', 'in', reportIds)
      .orderBy('report.id'),
    ['report'],
  ).execute();
  return new Map(
    rows.map(({ id, status, publish_time, ending_time, homework_status, version, answers, answer_time, saved_at }) => {
      const draft: AnswerDraft | undefined =
        version === null
          ? undefined
          : {
              version,
              answers: JSON.parse(answers ?? '[]') as DraftAnswer[],
              answer_time: answer_time ?? 0,
              saved_at: saved_at ?? 0,
            };
      return [id, { status, publish_time, homework: { status: homework_status, ending_time }, draft }];
    }),
  );
}

/** Deletes the drafts of reports that were submitted. */
export async function deleteDrafts(db: Database, reportIds: readonly number[]): Promise<void> {
  await db.deleteFrom('answer_draft').where('report_id', 'in', reportIds).execute();
}

/**
 * Deletes at most `most` drafts that were last saved before `before` (unix seconds). Their homework must have ended by
 * that time too. Returns how many.
 */
export async function purgeAnswerDrafts(
  db: Database,
  { before, most }: { before: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('answer_draft')
    .innerJoin('report', 'report.id', 'answer_draft.report_id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select('answer_draft.report_id')
    .where('answer_draft.saved_at', '<', before)
    .where('homework.ending_time', '<', before)
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('answer_draft').where('report_id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
