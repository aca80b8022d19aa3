/** Ends locked attempts: scores the saved answers and writes the reports. */
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { updateMany } from '#server/platform/db/group-commit.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Exam } from '#server/schema/database.ts';
import type { Attempt } from './attempts.ts';
import { countSubmissions } from './figures.ts';
import { emitExamGraded } from './learner-events.ts';
import { rewriteSubmissions } from './resubmission.ts';
import { testStatus } from './rules.ts';
import { savedAnswersOf } from './saved-answers.ts';
import { examQuestions, scoredAnswers, writeSubmissions } from './submission.ts';

export interface SubmittedAttempt {
  report_id: number;
  /** 2: waits for a grader. 3: graded. */
  test_status: number;
  submit_time: number;
  /** 1: the server submitted it because time was up. */
  by_server: 0 | 1;
}

export interface EndingAttempt {
  attempt: Pick<Attempt, 'id' | 'student_id' | 'started_at' | 'report_id'>;
  /** Unix seconds. */
  at: number;
  byServer: 0 | 1;
}

/**
 * Ends locked attempts of one exam; returns their results by attempt id. The exam is locked last, because all other
 * submissions wait for that lock until the transaction ends. A report that is rewritten is locked after the exam, as
 * when grading finishes.
 */
export async function endAttempts(
  db: Database,
  exam: Exam,
  ending: readonly EndingAttempt[],
  now: number,
): Promise<Map<number, SubmittedAttempt>> {
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
  // Rows of questions with superseded answers of other devices stay with the attempt.
  await db.deleteFrom('exam_attempt_answer').where('attempt_id', 'in', ids).where('aside', '=', '[]').execute();
  const held = db.selectFrom('exam').select('id').where('id', '=', exam.id);
  // Uses FOR NO KEY UPDATE, because concurrent submissions hold a foreign key lock on the exam, for which FOR UPDATE
  // would wait.
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

/** Returns the final answers of each attempt. */
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
  return groupRows(given, ({ attempt_id }) => attempt_id);
}
