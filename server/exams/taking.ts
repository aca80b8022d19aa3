/**
 * A student takes an exam: the server's clock runs from the start, what they answer is saved as it comes, and at the end
 * it is handed in: by them, or by the server when their time is over. One attempt at a time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import { unhurried } from '#server/platform/db/patience.ts';
import { isSqlite, locked } from '#server/platform/db/search.ts';
import type { Services } from '#server/school/context.ts';
import type { Exam } from '#server/school/tables.ts';
import { countSubmission } from './figures.ts';
import { tellExamGraded } from './learner-events.ts';
import { attemptEnd, examMessages, examSubmitFault, missingExam, testStatus } from './rules.ts';
import { writeSubmission } from './submission.ts';

interface Taking {
  examId: number;
  studentId: number;
  /** Unix seconds. */
  now: number;
}

export interface SentAnswer {
  ques_id: number;
  user_answer: string;
  is_sign: 0 | 1;
  /** Of the device; what it wrote before the one that is there comes too late and changes nothing. */
  serial: number;
}

/** What is published in the student's school, or shared with it. */
export function examsOfStudent(db: Database, studentId: number) {
  const school = db.selectFrom('student').select('student.school_id').where('student.id', '=', studentId);
  const shared = db.selectFrom('exam_school').select('exam_school.exam_id').where('exam_school.school_id', '=', school);
  return db.selectFrom('exam').where((eb) => eb.or([eb('exam.school_id', '=', school), eb('exam.id', 'in', shared)]));
}

/** One that the student sees, not withdrawn until the end of the transaction. */
async function seenExam(db: Database, { examId, studentId }: Taking): Promise<Exam | Refusal> {
  const exams = examsOfStudent(db, studentId)
    .selectAll('exam')
    .where('exam.id', '=', examId)
    .where('exam.status', '=', 1);
  return (await (isSqlite(db) ? exams : exams.forKeyShare('exam')).executeTakeFirst()) ?? missing(missingExam);
}

const attemptsOf = (db: Database, { examId, studentId }: Pick<Taking, 'examId' | 'studentId'>) =>
  db
    .selectFrom('exam_attempt')
    .where('exam_attempt.exam_id', '=', examId)
    .where('exam_attempt.student_id', '=', studentId);

/** The attempt that goes on, held until the end of the transaction. */
const heldAttempt = (db: Database, taking: Taking) =>
  locked(db)(attemptsOf(db, taking).selectAll('exam_attempt').where('handed_in_at', 'is', null)).executeTakeFirst();

const isOver = (end: number | null, now: number): end is number => end !== null && end <= now;

export interface Started {
  attempt_id: number;
  started_at: number;
  /** Null: without end. */
  ends_at: number | null;
  now: number;
}

/** Begins, or goes on where it was begun. Refused: 404, 409 not open (any more) or taken as often as may be. */
export async function start(db: Database, taking: Taking): Promise<Started | Refusal> {
  const { examId, studentId, now } = taking;
  const exam = await seenExam(db, taking);
  if (isRefusal(exam)) return exam;
  const open = await heldAttempt(db, taking);
  const end = open && attemptEnd(open, exam);
  if (open && !isOver(end ?? null, now)) return startedOf(open, exam, now);
  // The server has not come to it yet.
  if (open) await handIn(db, exam, open, { at: end ?? now, byServer: 1 });
  const earlier = await countOf(
    db.selectFrom('exam_report').where('exam_id', '=', examId).where('student_id', '=', studentId),
  );
  const refusal = refuseFor('conflict', examSubmitFault(exam, { at: now, earlier }, '作答'));
  if (refusal) return refusal;
  await db
    .insertInto('exam_attempt')
    .values({
      exam_id: examId,
      student_id: studentId,
      started_at: now,
      limit_at: exam.limit_time > 0 ? now + exam.limit_time : null,
      handed_in_at: null,
      report_id: null,
    })
    // Begun on another device just now: that one is theirs.
    .onConflict((known) => known.columns(['exam_id', 'student_id']).where('handed_in_at', 'is', null).doNothing())
    .execute();
  const begun = await heldAttempt(db, taking);
  return begun ? startedOf(begun, exam, now) : conflict(examMessages.handedIn);
}

const startedOf = (attempt: { id: number; started_at: number; limit_at: number | null }, exam: Exam, now: number) => ({
  attempt_id: attempt.id,
  started_at: attempt.started_at,
  ends_at: attemptEnd(attempt, exam),
  now,
});

/** The attempt that goes on with its exam, or why there is none to answer in. */
async function openAttempt(db: Database, taking: Taking) {
  const attempt = await heldAttempt(db, taking);
  if (!attempt) {
    const exam = await seenExam(db, taking);
    if (isRefusal(exam)) return exam;
    const any = await attemptsOf(db, taking).select('id').limit(1).executeTakeFirst();
    return conflict(any ? examMessages.handedIn : examMessages.noAttempt);
  }
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', taking.examId).executeTakeFirstOrThrow();
  const ends_at = attemptEnd(attempt, exam);
  return isOver(ends_at, taking.now)
    ? conflict(examMessages.timeOver, { ends_at, now: taking.now })
    : { attempt, exam, ends_at };
}

/** Refused: 404, 409 not begun, handed in or over, 422 an answer to what is no question of it. */
export async function save(
  db: Database,
  taking: Taking,
  answers: readonly SentAnswer[],
): Promise<{ saved: number; ends_at: number | null; now: number } | Refusal> {
  const found = await openAttempt(db, taking);
  if (isRefusal(found)) return found;
  const refusal = await keepAnswers(db, found.attempt.id, taking, answers);
  return refusal ?? { saved: answers.length, ends_at: found.ends_at, now: taking.now };
}

async function keepAnswers(
  db: Database,
  attemptId: number,
  { examId, now }: Taking,
  answers: readonly SentAnswer[],
): Promise<Refusal | undefined> {
  if (answers.length === 0) return undefined;
  const ids = [...new Set(answers.map(({ ques_id }) => ques_id))];
  const known = await countOf(
    db.selectFrom('exam_question').where('exam_id', '=', examId).where('ques_type', '!=', 6).where('id', 'in', ids),
  );
  if (ids.length < answers.length || known < ids.length) return invalid({ answers: [examMessages.wrongAnswers] });
  await db
    .insertInto('exam_attempt_answer')
    .values(
      answers.map(({ ques_id, ...answer }) => ({
        attempt_id: attemptId,
        question_id: ques_id,
        saved_at: now,
        ...answer,
      })),
    )
    .onConflict((saved) =>
      saved
        .columns(['attempt_id', 'question_id'])
        .doUpdateSet((eb) => ({
          user_answer: eb.ref('excluded.user_answer'),
          is_sign: eb.ref('excluded.is_sign'),
          serial: eb.ref('excluded.serial'),
          saved_at: eb.ref('excluded.saved_at'),
        }))
        .whereRef('excluded.serial', '>=', 'exam_attempt_answer.serial'),
    )
    .execute();
  await db.updateTable('exam_attempt').set({ saves: sql<number>`saves + 1` }).where('id', '=', attemptId).execute();
  return undefined;
}

export interface HandedIn {
  report_id: number;
  /** 2 waits for review, 3 reviewed. */
  test_status: number;
  submit_time: number;
  /** 1: their time was over. */
  by_server: 0 | 1;
}

/**
 * Hands in what was saved, with what comes along. Refused: 404, 409 not begun, handed in with something else, or over: then
 * the server has handed in what was saved, and says so.
 */
export async function submit(
  db: Database,
  taking: Taking,
  answers: readonly SentAnswer[],
): Promise<HandedIn | Refusal> {
  const outcome = await inTransaction<HandedIn>(db, async (trx) => {
    const found = await openAttempt(trx, taking);
    if (isRefusal(found)) return found;
    const refusal = await keepAnswers(trx, found.attempt.id, taking, answers);
    return refusal ?? handIn(trx, found.exam, found.attempt, { at: taking.now, byServer: 0 });
  });
  if (!isRefusal(outcome)) return outcome;
  await handInOverdue(db, taking.now, taking);
  const last = await lastHandedIn(db, taking);
  if (!last) return outcome;
  if (outcome.msg === examMessages.timeOver) return conflict(examMessages.timeOver, last);
  return outcome.kind === 'conflict' && (await wasHandedIn(db, last.report_id, answers)) ? last : outcome;
}

async function lastHandedIn(db: Database, taking: Taking): Promise<HandedIn | undefined> {
  return attemptsOf(db, taking)
    .innerJoin('exam_report', 'exam_report.id', 'exam_attempt.report_id')
    .select([
      'exam_report.id as report_id',
      'exam_report.test_status',
      'exam_report.submit_time',
      'exam_attempt.by_server',
    ])
    .orderBy('exam_attempt.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether these are among the answers of a report. */
async function wasHandedIn(db: Database, reportId: number, answers: readonly SentAnswer[]): Promise<boolean> {
  const stored = await db
    .selectFrom('exam_answer')
    .select(['question_id', 'user_answer'])
    .where('report_id', '=', reportId)
    .execute();
  const known = new Map(stored.map(({ question_id, user_answer }) => [question_id, user_answer]));
  return answers.every(({ ques_id, user_answer }) => known.get(ques_id) === user_answer);
}

/** Ends an attempt that is held. The exam is held last: until the end of the transaction all its others wait for it. */
async function handIn(
  db: Database,
  exam: Exam,
  attempt: { id: number; student_id: number; started_at: number },
  { at, byServer }: { at: number; byServer: 0 | 1 },
): Promise<HandedIn> {
  const student = await db
    .selectFrom('student')
    .select(['id', 'school_id'])
    .where('id', '=', attempt.student_id)
    .executeTakeFirstOrThrow();
  const saved = await db.selectFrom('exam_attempt_answer').selectAll().where('attempt_id', '=', attempt.id).execute();
  const written = await writeSubmission(db, exam, {
    student,
    answers: saved.map(({ question_id, user_answer, is_sign }) => ({
      questionId: question_id,
      userAnswer: user_answer,
      isSigned: is_sign === 1,
    })),
    answerTime: at - attempt.started_at,
    submitTime: at,
  });
  if (isRefusal(written)) throw new Error(written.msg);
  await db.deleteFrom('exam_attempt_answer').where('attempt_id', '=', attempt.id).execute();
  await db
    .updateTable('exam_attempt')
    .set({ handed_in_at: at, by_server: byServer, report_id: written.id })
    .where('id', '=', attempt.id)
    .execute();
  if (written.report.test_status === testStatus.reviewed) {
    await tellExamGraded(db, { ...written.report, id: written.id }, at);
  }
  const held = db.selectFrom('exam').select('id').where('id', '=', exam.id);
  // Not against those who refer to it: each of them has done so already, and would wait for the others here.
  await (isSqlite(db) ? held : held.forNoKeyUpdate()).execute();
  await countSubmission(db, exam, written.report, written.scored);
  return { report_id: written.id, test_status: written.report.test_status, submit_time: at, by_server: byServer };
}

// ---- when their time is over ----------------------------------------------------------------------

const lookEvery = 60_000;
const batch = 100;
/** Milliseconds between two batches. */
const rest = 20;

/**
 * Hands in what is over, of all or of one who asks; answers how many. Several processes may do it: each attempt is held, and
 * looked at again, by whoever hands it in.
 */
export async function handInOverdue(
  db: Database,
  now: number,
  of?: Pick<Taking, 'examId' | 'studentId'>,
): Promise<{ handedIn: number; failed: number }> {
  let handedIn = 0;
  const failed: number[] = [];
  for (;;) {
    const due = await overdue(db, now, { of, without: failed });
    for (const { id } of due) {
      try {
        if (await db.transaction().execute((trx) => handInOne(trx, id, now))) handedIn += 1;
      } catch (error) {
        if (of) throw error;
        failed.push(id);
      }
    }
    if (due.length < batch) return { handedIn, failed: failed.length };
    await pause(rest);
  }
}

const overdue = (
  db: Database,
  now: number,
  { of, without }: { of: Pick<Taking, 'examId' | 'studentId'> | undefined; without: readonly number[] },
) =>
  db
    .selectFrom('exam_attempt')
    .innerJoin('exam', 'exam.id', 'exam_attempt.exam_id')
    .select('exam_attempt.id')
    .where('exam_attempt.handed_in_at', 'is', null)
    .where((eb) => eb.or([eb('exam_attempt.limit_at', '<=', now), eb('exam.end_at', '<=', now)]))
    .where('exam_attempt.id', 'not in', [0, ...without])
    .$if(of !== undefined, (query) =>
      query
        .where('exam_attempt.exam_id', '=', of?.examId ?? 0)
        .where('exam_attempt.student_id', '=', of?.studentId ?? 0),
    )
    .orderBy('exam_attempt.id')
    .limit(batch)
    .execute();

async function handInOne(db: Database, id: number, now: number): Promise<boolean> {
  const attempt = await locked(db)(
    db.selectFrom('exam_attempt').selectAll().where('id', '=', id).where('handed_in_at', 'is', null),
  ).executeTakeFirst();
  if (!attempt) return false;
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', attempt.exam_id).executeTakeFirstOrThrow();
  const end = attemptEnd(attempt, exam);
  if (!isOver(end, now)) return false;
  await handIn(db, exam, attempt, { at: end, byServer: 1 });
  return true;
}

/** Looks now and each minute, until the process ends; answers what ends it. What was over while none ran comes first. */
export function startHandingIn({ database: { db }, now, log }: Pick<Services, 'database' | 'now' | 'log'>): () => void {
  let working = false;
  const look = async () => {
    if (working) return;
    working = true;
    try {
      const { handedIn, failed } = await handInOverdue(db, now());
      if (handedIn > 0) log.info({ handedIn }, 'exams handed in whose time was over');
      if (failed > 0) log.error({ failed }, 'exams whose time is over could not be handed in');
    } catch (error) {
      log.warn({ err: error }, 'exams whose time is over were not looked for');
    } finally {
      working = false;
    }
  };
  const timer = unhurried(() => {
    void look();
    return setInterval(() => void look(), lookEvery).unref();
  });
  return () => clearInterval(timer);
}
