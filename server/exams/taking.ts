/**
 * Taking an exam: the server's clock starts, answers are saved as they come, and the attempt is submitted by the
 * student, or by the server when time is up. One attempt at a time. Hundreds of students do this in the same second, so
 * concurrent writes of an exam are batched (group commit).
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { answerMessages, blankSentence, unansweredSentence } from '#server/grading/rules.ts';
import { isUnanswered } from '#server/grading/scoring.ts';
import { answerFaults } from '#server/grading/submitted-answer.ts';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { groupCommit, updateMany } from '#server/platform/db/group-commit.ts';
import { grouped } from '#server/platform/db/grouping.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import type { Exam } from '#server/schema/database.ts';
import type { Services } from '#server/school/context.ts';
import { countSubmissions } from './figures.ts';
import { emitExamGraded } from './learner-events.ts';
import { learnerPaper } from './learner-paper.ts';
import { reopenAttempts } from './reopening.ts';
import { rewriteSubmissions } from './resubmission.ts';
import { attemptEnd, examMessages, examSubmitFault, missingExam, testStatus } from './rules.ts';
import { type SavedAnswer, SavedAnswers, type SentAnswer, savedAnswersOf } from './saved-answers.ts';
import { examQuestions, scoredAnswers, writeSubmissions } from './submission.ts';

interface Taking {
  examId: number;
  studentId: number;
  /** Unix seconds. */
  now: number;
}

interface Answering {
  taking: Taking;
  answers: readonly SentAnswer[];
  /** Learner session; '' with a service token. */
  device: string;
}

/** Exams published in, or shared with, the student's school. */
export function examsOfStudent(db: Database, studentId: number | RawBuilder<number>) {
  const school = db.selectFrom('student').select('student.school_id').where('student.id', '=', studentId);
  const shared = db.selectFrom('exam_school').select('exam_school.exam_id').where('exam_school.school_id', '=', school);
  return db.selectFrom('exam').where((eb) => eb.or([eb('exam.school_id', '=', school), eb('exam.id', 'in', shared)]));
}

/** Locks a published exam against withdrawal until the transaction ends. */
const heldExams = prepared((db, { examId }: Placeholders<{ examId: number }>) => {
  const exams = db.selectFrom('exam').selectAll().where('id', '=', examId).where('status', '=', 1);
  return isSqlite(db) ? exams : exams.forKeyShare();
});

async function lockedExam(db: Database, examId: number): Promise<Exam | undefined> {
  return (await heldExams(db, { examId }))[0];
}

/** Returns the ids of the students who see the exam. */
async function whoSees(db: Database, exam: Exam, takings: readonly Taking[]): Promise<Set<number>> {
  const students = await amongWhomSee(db, { exam: exam.id, school: exam.school_id, uids: listed(takings) });
  return new Set(students.map(({ id }) => id));
}

const amongWhomSee = prepared(
  (db, { exam, school, uids }: Placeholders<{ exam: number; school: number; uids: string }>) => {
    const shared = db.selectFrom('exam_school').select('school_id').where('exam_id', '=', exam);
    return db
      .selectFrom('student')
      .select('id')
      .where('id', 'in', inJsonIds(db, uids))
      .where((eb) => eb.or([eb('school_id', '=', school), eb('school_id', 'in', shared)]));
  },
);

const attemptsOf = (db: Database, { examId, studentId }: Pick<Taking, 'examId' | 'studentId'>) =>
  db
    .selectFrom('exam_attempt')
    .where('exam_attempt.exam_id', '=', examId)
    .where('exam_attempt.student_id', '=', studentId);

const latestOf = (takings: readonly Taking[]) => Math.max(...takings.map(({ now }) => now));
/** Student ids as JSON, for a prepared statement. */
const listed = (takings: readonly Taking[]) => JSON.stringify([...new Set(takings.map(({ studentId }) => studentId))]);

/** Locks the current attempts, by student. */
async function heldAttempts(db: Database, examId: number, takings: readonly Taking[]) {
  const held = await openAttemptsHeld(db, { examId, uids: listed(takings) });
  return new Map(held.map((attempt) => [attempt.student_id, attempt]));
}

const openAttemptsHeld = prepared((db, { examId, uids }: Placeholders<{ examId: number; uids: string }>) =>
  forUpdate(db)(
    db
      .selectFrom('exam_attempt')
      .selectAll()
      .where('exam_id', '=', examId)
      .where('student_id', 'in', inJsonIds(db, uids))
      .where('handed_in_at', 'is', null)
      // In id order, because concurrent batches lock several attempts each.
      .orderBy('id'),
  ),
);

/** Maximum students of one exam per batch. */
const atOnce = 50;

const isOver = (end: number | null, now: number): end is number => end !== null && end <= now;

export interface Started {
  attempt_id: number;
  started_at: number;
  /** Null: without end. */
  ends_at: number | null;
  now: number;
}

/**
 * Starts an attempt or resumes it, also after the exam's end was moved. 404: not visible. 409: not open, or no attempts
 * left.
 */
export const start = (db: Database, taking: Taking): Promise<Started | Refusal> =>
  startTogether(db, taking.examId, taking);

const startTogether = groupCommit(atOnce, (db: Database, takings: readonly Taking[], examId) =>
  db.transaction().execute(async (trx): Promise<(Started | Refusal)[]> => {
    const exam = await lockedExam(trx, examId);
    if (!exam) return takings.map(() => missing(missingExam));
    const reached = await whoSees(trx, exam, takings);
    const goingOn = await heldAttempts(trx, examId, takings);
    const over = takings.flatMap(({ studentId, now }) => {
      const attempt = goingOn.get(studentId);
      const end = attempt && attemptEnd(attempt, exam);
      return attempt && isOver(end ?? null, now) ? [{ attempt, at: end ?? now, byServer: 1 as const }] : [];
    });
    // Attempts whose time is up but that the server has not submitted yet.
    const ending = new Map(over.map((one) => [one.attempt.id, one]));
    if (ending.size > 0) await handIn(trx, exam, [...ending.values()], latestOf(takings));
    for (const { attempt } of ending.values()) goingOn.delete(attempt.student_id);
    const without = takings.filter(({ studentId }) => reached.has(studentId) && !goingOn.has(studentId));
    await reopenAttempts(trx, exam, without);
    const reopened = without.length > 0 ? await heldAttempts(trx, examId, without) : goingOn;
    const beginning = without.filter(({ studentId }) => !reopened.has(studentId));
    const refusals = await beginAttempts(trx, exam, beginning);
    const attempts = without.length > 0 ? await heldAttempts(trx, examId, takings) : goingOn;
    return takings.map(({ studentId, now }) => {
      if (!reached.has(studentId)) return missing(missingExam);
      const attempt = attempts.get(studentId);
      return attempt ? startedOf(attempt, exam, now) : (refusals.get(studentId) ?? conflict(examMessages.handedIn));
    });
  }),
);

/** Starts attempts; returns the refusals by student. */
async function beginAttempts(db: Database, exam: Exam, takings: readonly Taking[]): Promise<Map<number, Refusal>> {
  const refusals = new Map<number, Refusal>();
  if (takings.length === 0) return refusals;
  const reports = await earlierReports(db, { examId: exam.id, uids: listed(takings) });
  const earlierOf = new Map(reports.map(({ student_id, reports: times }) => [student_id, times]));
  const begun = new Map<number, Insertable<Tables['exam_attempt']>>();
  for (const { studentId, now } of takings) {
    const earlier = earlierOf.get(studentId) ?? 0;
    const refusal = refuseFor('conflict', examSubmitFault(exam, { at: now, earlier }, '作答'));
    if (refusal) refusals.set(studentId, refusal);
    else {
      const limit_at = exam.limit_time > 0 ? now + exam.limit_time : null;
      const open = { started_at: now, limit_at, handed_in_at: null, report_id: null };
      begun.set(studentId, { exam_id: exam.id, student_id: studentId, ...open });
    }
  }
  if (begun.size === 0) return refusals;
  await db
    .insertInto('exam_attempt')
    .values([...begun.values()])
    // Another device has just started it: that attempt is used.
    .onConflict((known) => known.columns(['exam_id', 'student_id']).where('handed_in_at', 'is', null).doNothing())
    .execute();
  return refusals;
}

const earlierReports = prepared((db, { examId, uids }: Placeholders<{ examId: number; uids: string }>) =>
  db
    .selectFrom('exam_report')
    .select((eb) => ['student_id', eb.fn.countAll<number>().as('reports')])
    .where('exam_id', '=', examId)
    .where('student_id', 'in', inJsonIds(db, uids))
    .groupBy('student_id'),
);

const startedOf = (attempt: { id: number; started_at: number; limit_at: number | null }, exam: Exam, now: number) => ({
  attempt_id: attempt.id,
  started_at: attempt.started_at,
  ends_at: attemptEnd(attempt, exam),
  now,
});

type HeldAttempt = Selectable<Tables['exam_attempt']>;

/** Locks the current attempt of each student, or returns why there is none to answer in. */
async function openAttempts(db: Database, examId: number, answering: readonly Answering[]) {
  const attemptOf = await heldAttempts(
    db,
    examId,
    answering.map(({ taking }) => taking),
  );
  const [exam] = attemptOf.size > 0 ? await examOf(db, { examId }) : [];
  const found: FoundAttempt[] = [];
  for (const { taking } of answering) {
    const attempt = attemptOf.get(taking.studentId);
    if (!attempt || !exam) {
      found.push(await noAttempt(db, taking));
      continue;
    }
    const ends_at = attemptEnd(attempt, exam);
    const isLate = isOver(ends_at, taking.now);
    found.push(isLate ? conflict(examMessages.timeOver, { ends_at, now: taking.now }) : { attempt, exam, ends_at });
  }
  return found;
}

const examOf = prepared((db, { examId }: Placeholders<{ examId: number }>) =>
  db.selectFrom('exam').selectAll().where('id', '=', examId),
);

async function noAttempt(db: Database, taking: Taking): Promise<Refusal> {
  const exam = await lockedExam(db, taking.examId);
  if (!exam || !(await whoSees(db, exam, [taking])).has(taking.studentId)) return missing(missingExam);
  const any = await attemptsOf(db, taking).select('id').limit(1).executeTakeFirst();
  return conflict(any ? examMessages.handedIn : examMessages.noAttempt);
}

interface Saved {
  /** Number of sent answers that were saved. */
  saved: number;
  ends_at: number | null;
  now: number;
  /** The sent questions with the version of their current answer. */
  answers: { ques_id: number; version: number }[];
}

/** The current answer, returned in place of one that was not saved. */
const standing = ({ question_id, user_answer, is_sign, version, saved_at }: SavedAnswer) => ({
  ques_id: question_id,
  user_answer,
  is_sign,
  version,
  saved_at,
});

/**
 * Saves answers. 404: not visible. 422: an answer to a question of another exam, or an unknown option. 409: not
 * started, submitted or over; also if another device has saved an answer since: `data` lists the answers not saved and
 * the current ones, all others are saved.
 */
export const save = (db: Database, answering: Answering): Promise<Saved | Refusal> =>
  saveTogether(db, answering.taking.examId, answering);

const saveTogether = groupCommit(atOnce, (db: Database, answering: readonly Answering[], examId) =>
  db.transaction().execute(async (trx): Promise<(Saved | Refusal)[]> => {
    const attempts = await openAttempts(trx, examId, answering);
    const { outcomes, store } = await takeAnswers(trx, answering, attempts);
    await store();
    const saves = new Map<number, number>();
    answering.forEach(({ answers }, place) => {
      const found = attempts[place];
      if (!found || isRefusal(found) || isRefusal(outcomes[place]) || answers.length === 0) return;
      saves.set(found.attempt.id, (saves.get(found.attempt.id) ?? 0) + 1);
    });
    for (const [times, of] of grouped([...saves], ([, times]) => times)) {
      await countSaves(trx, { times, ids: JSON.stringify(of.map(([id]) => id)) });
    }
    return outcomes;
  }),
);

type FoundAttempt = { attempt: HeldAttempt; exam: Exam; ends_at: number | null } | Refusal;

/** Merges the sent answers into the attempts; `store` writes them. */
async function takeAnswers(db: Database, answering: readonly Answering[], attempts: readonly FoundAttempt[]) {
  const open = attempts.flatMap((found) => (isRefusal(found) ? [] : [found]));
  const isSent = answering.some(({ answers }, place) => answers.length > 0 && !isRefusal(attempts[place]));
  const questions = isSent && open[0] ? await askedQuestions(db, open[0].exam) : new Map();
  const ids = isSent ? [...new Set(open.map(({ attempt }) => attempt.id))] : [];
  const saved = new SavedAnswers(await savedAnswersOf(db, ids));
  const outcomes = answering.map(({ taking: { now }, answers, device }, place): Saved | Refusal => {
    const found = attempts[place] as FoundAttempt;
    if (isRefusal(found)) return found;
    const faults = answerFaults(answers, questions, examMessages.wrongAnswers);
    if (faults) return invalid(faults);
    const taken = answers.map((answer) => saved.save(found.attempt.id, answer, { now, device }));
    const kept = taken.filter((one) => one.kept);
    const outcome = {
      saved: kept.length,
      ends_at: found.ends_at,
      now,
      answers: taken.map(({ stands }) => ({ ques_id: stands.question_id, version: stands.version })),
    };
    if (kept.length === answers.length) return outcome;
    const not_kept = taken.filter((one) => !one.kept).map(({ stands }) => standing(stands));
    return conflict(answerMessages.otherDevice, { ...outcome, not_kept });
  });
  return { outcomes, store: () => saved.store(db) };
}

/** From the cached paper, which is the same for all. */
async function askedQuestions(db: Database, exam: Exam) {
  const { sections } = await learnerPaper(db, exam);
  return new Map(
    sections.flatMap(({ questions }) =>
      questions.map(({ id, ques_type, ques_option }) => [id, { ques_type, options: ques_option }] as const),
    ),
  );
}

const countSaves = prepared((db, { times, ids }: Placeholders<{ times: number; ids: string }>) =>
  db
    .updateTable('exam_attempt')
    .set({ saves: sql<number>`saves + ${times}` })
    .where('id', 'in', inJsonIds(db, ids)),
);

export interface HandedIn {
  report_id: number;
  /** 2 waits for review, 3 reviewed. */
  test_status: number;
  submit_time: number;
  /** 1: submitted by the server because time was up. */
  by_server: 0 | 1;
}

/**
 * Submits the saved answers with the sent ones. 404: not visible. 409: not started, submitted with other answers, over
 * (the server has then submitted the saved answers), or saved by another device since. 422: unanswered questions
 * without confirmation.
 */
export async function submit(
  db: Database,
  answering: Answering & { confirmBlank: boolean },
): Promise<HandedIn | Refusal> {
  const { taking, answers } = answering;
  const outcome = await submitTogether(db, taking.examId, answering);
  if (!isRefusal(outcome)) return outcome;
  const isOver = outcome.msg === examMessages.timeOver;
  if (!isOver && outcome.msg !== examMessages.handedIn) return outcome;
  await handInOverdue(db, taking.now, taking);
  const last = await lastHandedIn(db, taking);
  if (!last) return outcome;
  return !isOver && (await wasHandedIn(db, last.report_id, answers)) ? last : conflict(outcome.msg, last);
}

const submitTogether = groupCommit(
  atOnce,
  async (db: Database, answering: readonly (Answering & { confirmBlank: boolean })[], examId) => {
    const outcomes = await db.transaction().execute(async (trx): Promise<(HandedIn | Refusal)[]> => {
      const attempts = await openAttempts(trx, examId, answering);
      const { outcomes: taken, store } = await takeAnswers(trx, answering, attempts);
      await store();
      const unsure = answering.flatMap(({ confirmBlank }, place) => {
        const found = attempts[place];
        return confirmBlank || !found || isRefusal(found) || isRefusal(taken[place]) ? [] : [found];
      });
      const unanswered = await unansweredQuestions(trx, unsure);
      const ending = new Map<number, EndingAttempt>();
      const outcomes = answering.map(({ taking }, place) => {
        const found = attempts[place] as FoundAttempt;
        const refusal = [found, taken[place]].find((one) => isRefusal(one));
        if (refusal || isRefusal(found)) return refusal as Refusal;
        // Two devices at once: the second is told the result of the first.
        if (ending.has(found.attempt.id)) return conflict(examMessages.handedIn);
        const open = answering[place]?.confirmBlank ? [] : (unanswered.get(found.attempt.id) ?? []);
        if (open.length > 0) return invalid({ confirm_blank: [unansweredSentence(open)] }, blankSentence(open.length));
        ending.set(found.attempt.id, { attempt: found.attempt, at: taking.now, byServer: 0 });
        return found;
      });
      const [exam] = outcomes.flatMap((found) => (isRefusal(found) ? [] : [found.exam]));
      const handedIn = exam
        ? await handIn(trx, exam, [...ending.values()], latestOf(answering.map(({ taking }) => taking)))
        : new Map<number, HandedIn>();
      return outcomes.map((found) => (isRefusal(found) ? found : (handedIn.get(found.attempt.id) as HandedIn)));
    });
    count('handIns', { kind: 'exam' }, outcomes.filter((one) => !isRefusal(one)).length);
    return outcomes;
  },
);

/** Numbers of unanswered questions by attempt. */
async function unansweredQuestions(db: Database, found: readonly Exclude<FoundAttempt, Refusal>[]) {
  const [first] = found;
  if (!first) return new Map<number, string[]>();
  const ids = found.map(({ attempt }) => attempt.id);
  const answered = grouped(
    (await savedAnswersOf(db, ids)).filter(({ user_answer }) => !isUnanswered(user_answer)),
    ({ attempt_id }) => attempt_id,
  );
  const { sections } = await learnerPaper(db, first.exam);
  const questions = sections.flatMap((section) => section.questions);
  return new Map(
    ids.map((id) => {
      const theirs = new Set((answered.get(id) ?? []).map(({ question_id }) => question_id));
      return [id, questions.filter((question) => !theirs.has(question.id)).map(({ sort }) => sort)];
    }),
  );
}

async function lastHandedIn(db: Database, taking: Taking): Promise<HandedIn | undefined> {
  return attemptsOf(db, taking)
    .innerJoin('exam_report', 'exam_report.id', 'exam_attempt.report_id')
    .where('exam_attempt.handed_in_at', 'is not', null)
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

/** True if the report contains these answers. */
async function wasHandedIn(db: Database, reportId: number, answers: readonly SentAnswer[]): Promise<boolean> {
  const stored = await db
    .selectFrom('exam_answer')
    .select(['question_id', 'user_answer'])
    .where('report_id', '=', reportId)
    .execute();
  const known = new Map(stored.map(({ question_id, user_answer }) => [question_id, user_answer]));
  return answers.every(({ ques_id, user_answer }) => known.get(ques_id) === user_answer);
}

interface EndingAttempt {
  attempt: Pick<HeldAttempt, 'id' | 'student_id' | 'started_at' | 'report_id'>;
  /** Unix seconds. */
  at: number;
  byServer: 0 | 1;
}

/**
 * Ends locked attempts of one exam and returns results by attempt id. The exam is locked last, because all other
 * submissions wait for it until the transaction ends. A rewritten report is locked after the exam, as when grading
 * finishes.
 */
async function handIn(
  db: Database,
  exam: Exam,
  ending: readonly EndingAttempt[],
  now: number,
): Promise<Map<number, HandedIn>> {
  const ids = ending.map(({ attempt }) => attempt.id);
  const answers = await answersAtEnd(db, ending);
  const schools = await schoolsOf(db, { uids: JSON.stringify(ending.map(({ attempt }) => attempt.student_id)) });
  const schoolOf = new Map(schools.map(({ id, school_id }) => [id, school_id]));
  const questions = await examQuestions(db, exam.id);
  const submissions = ending.map(({ attempt, at, byServer }) => {
    const scored = scoredAnswers(questions, answers.get(attempt.id) ?? []);
    if (isRefusal(scored)) throw new Error(scored.msg);
    const student = { id: attempt.student_id, school_id: schoolOf.get(attempt.student_id) ?? exam.school_id };
    const times = { answerTime: at - attempt.started_at, submitTime: at, writtenAt: now };
    return { attempt, at, byServer, submission: { student, scored, ...times } };
  });
  const first = submissions.filter(({ attempt }) => attempt.report_id === null);
  const again = submissions.flatMap(({ attempt: { report_id }, submission }) =>
    report_id === null ? [] : [{ ...submission, reportId: report_id }],
  );
  const written = await writeSubmissions(
    db,
    exam,
    first.map(({ submission }) => submission),
  );
  // Rows with superseded answers of other devices are kept with the attempt.
  await db.deleteFrom('exam_attempt_answer').where('attempt_id', 'in', ids).where('aside', '=', '[]').execute();
  const held = db.selectFrom('exam').select('id').where('id', '=', exam.id);
  // FOR NO KEY UPDATE: concurrent submissions hold a foreign key lock on the exam, which FOR UPDATE would wait for.
  const holdExam = () => (isSqlite(db) ? held : held.forNoKeyUpdate()).execute();
  if (again.length > 0) await holdExam();
  const rewritten = await rewriteSubmissions(db, exam, again);
  const reportOf = new Map([...written, ...rewritten].map((one) => [one.report.student_id, one]));
  const ended = submissions.map(({ attempt, at, byServer }) => {
    const { id, report } = reportOf.get(attempt.student_id) as (typeof rewritten)[number];
    return { id: attempt.id, handed_in_at: at, by_server: byServer, report_id: id, report };
  });
  await updateMany(
    db,
    'exam_attempt',
    ended.map(({ report: _, ...row }) => row),
  );
  const graded = ended.filter(({ report }) => report.test_status === testStatus.reviewed);
  await emitExamGraded(
    db,
    graded.map(({ report_id, report }) => ({ ...report, id: report_id })),
    now,
  );
  if (again.length === 0) await holdExam();
  await countSubmissions(db, exam, written);
  return new Map(
    ended.map(({ id, report_id, handed_in_at, by_server, report }) => [
      id,
      { report_id, test_status: report.test_status, submit_time: handed_in_at, by_server },
    ]),
  );
}

const schoolsOf = prepared((db, { uids }: Placeholders<{ uids: string }>) =>
  db.selectFrom('student').select(['id', 'school_id']).where('id', 'in', inJsonIds(db, uids)),
);

/** Final answers by attempt. */
async function answersAtEnd(db: Database, ending: readonly EndingAttempt[]) {
  const saved = await savedAnswersOf(
    db,
    ending.map(({ attempt }) => attempt.id),
  );
  const given = saved.map(({ attempt_id, question_id, user_answer, is_sign }) => ({
    attempt_id,
    questionId: question_id,
    userAnswer: user_answer,
    isSigned: is_sign === 1,
  }));
  return grouped(given, ({ attempt_id }) => attempt_id);
}

// ---- overdue attempts ------------------------------------------------------------------------------

const batch = 100;
/** Milliseconds between two batches. */
const rest = 20;

/**
 * Submits overdue attempts, all or one student's, and returns their number. Safe in several processes: each attempt is
 * locked and checked again.
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
    for (const [examId, some] of grouped(due, ({ exam_id }) => exam_id)) {
      for (let from = 0; from < some.length; from += atOnce) {
        const ids = some.slice(from, from + atOnce).map(({ id }) => id);
        const outcome = await handInThese(db, examId, ids, now, of !== undefined);
        handedIn += outcome.handedIn;
        count('handIns', { kind: 'exam' }, outcome.handedIn);
        failed.push(...outcome.failed);
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
    .select(['exam_attempt.id', 'exam_attempt.exam_id'])
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

/** One by one if the batch fails. */
async function handInThese(
  db: Database,
  examId: number,
  ids: readonly number[],
  now: number,
  mustSucceed: boolean,
): Promise<{ handedIn: number; failed: readonly number[] }> {
  try {
    return { handedIn: await db.transaction().execute((trx) => handInHeld(trx, examId, ids, now)), failed: [] };
  } catch (error) {
    if (mustSucceed) throw error;
    if (ids.length === 1) return { handedIn: 0, failed: ids };
    const outcomes = [];
    for (const id of ids) outcomes.push(await handInThese(db, examId, [id], now, mustSucceed));
    return {
      handedIn: outcomes.reduce((sum, one) => sum + one.handedIn, 0),
      failed: outcomes.flatMap(({ failed }) => failed),
    };
  }
}

async function handInHeld(db: Database, examId: number, ids: readonly number[], now: number): Promise<number> {
  const attempts = await forUpdate(db)(
    db.selectFrom('exam_attempt').selectAll().where('id', 'in', ids).where('handed_in_at', 'is', null).orderBy('id'),
  ).execute();
  if (attempts.length === 0) return 0;
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
  const ending = attempts.flatMap((attempt): EndingAttempt[] => {
    const end = attemptEnd(attempt, exam);
    return isOver(end, now) ? [{ attempt, at: end, byServer: 1 }] : [];
  });
  if (ending.length > 0) await handIn(db, exam, ending, now);
  return ending.length;
}

/** Job that runs each minute; attempts that became overdue while no process ran come first. */
export const handingIn = ({
  database: { db },
  now,
  log,
}: Pick<Services, 'database' | 'now' | 'log'>): BackgroundWork => ({
  kind: 'hand-in',
  every: 60,
  async run() {
    const { handedIn, failed } = await handInOverdue(db, now());
    if (handedIn > 0) log.info({ handedIn }, 'exams handed in whose time was over');
    if (failed > 0) throw new Error(`${failed} exams whose time is over could not be handed in`);
  },
});
