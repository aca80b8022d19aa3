import { answerStatus, pointsOf, wholeTenths } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import { missingHomework } from '#server/homework/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import type { ReportSummary } from './contract.ts';
import { type AnsweredQuestion, answeredQuestions, questionsOf, totalsOf } from './questions.ts';
import { findVisibleReport } from './scope.ts';
import type { StudentTypeRow } from './transcript.contract.ts';

/** Lists the right answers and the score of a report by question type. Contains only types that occur, by code. */
export async function studentTypes({ db, actor, now }: RuleContext<'actor' | 'now'>, reportId: number) {
  const seen = await findVisibleReport(db, actor, reportId);
  if (isRefusal(seen)) return seen;
  const { report, scope } = seen;
  await logView({ db, actor, now }, report.student_id);
  const questions = answeredQuestions(await questionsOf(db, report.homework_id));
  const answers = await answersOf(db, reportId);
  const types = [...new Set(questions.map(({ type }) => type))].sort((a, b) => a - b);
  const ques_type_list = types.map((type): StudentTypeRow => {
    const ofType = questions.filter((question) => question.type === type);
    const sum = (figure: (question: AnsweredQuestion) => number) =>
      ofType.reduce((total, question) => total + figure(question), 0);
    const earned = sum(({ id }) => answers.get(id)?.score ?? 0);
    const full = sum(({ score }) => score);
    return {
      ques_type: type,
      name: questionTypeNames[type],
      right_amount: sum(({ id }) => (answers.get(id)?.status === answerStatus.right ? 1 : 0)),
      total: ofType.length,
      total_score: pointsOf(scope.mode, full),
      right_score: wholeTenths(scope.mode, earned),
      right_rate: wholePercent(earned, full),
    };
  });
  return {
    report_id: report.id,
    homework_id: report.homework_id,
    status: report.status as 1 | 2 | 3,
    ques_type_list,
  };
}

async function answersOf(db: Database, reportId: number) {
  const rows = await db
    .selectFrom('answer')
    .select(['question_id', 'status', 'score'])
    .where('report_id', '=', reportId)
    .execute();
  return new Map(rows.map((row) => [row.question_id, row]));
}

/** Returns a summary of one student's report. 404: the report does not belong to the homework in the address. */
export async function studentInfo(
  db: Database,
  actor: Actor,
  { homeworkId, reportId }: { homeworkId: number; reportId: number },
): Promise<ReportSummary | Refusal> {
  const seen = await findVisibleReport(db, actor, reportId);
  if (isRefusal(seen)) return seen;
  const { report, scope } = seen;
  const { homework } = scope;
  if (homework.id !== homeworkId) return missing(missingHomework);
  const student = await db
    .selectFrom('student')
    .select(['nickname', 'mobile'])
    .where('id', '=', report.student_id)
    .executeTakeFirstOrThrow();
  const grader = await db
    .selectFrom('staff')
    .select(['real_name', 'mobile', 'identity'])
    .where('id', '=', report.graded_by ?? 0)
    .executeTakeFirst();
  const [teacher, assistant] = grader?.identity === 'teacher' ? [grader, undefined] : [undefined, grader];
  const questions = answeredQuestions(await questionsOf(db, homework.id));
  const totals = totalsOf(questions);
  const statuses = [...(await answersOf(db, reportId)).values()].map(({ status }) => status);
  const answered = statuses.filter((status) => status !== answerStatus.unanswered).length;
  const waiting = statuses.filter((status) => status === answerStatus.waiting).length;
  return {
    homework_name: homework.name,
    status: report.status as 1 | 2 | 3,
    is_set_score: scope.mode,
    finish_rate: wholePercent(answered, questions.length),
    approved_rate: wholePercent(answered - waiting, answered),
    user: student.nickname,
    mobile: student.mobile,
    teacher: teacher?.real_name ?? '',
    assistant: assistant?.real_name ?? '',
    teacher_mobile: teacher?.mobile ?? '',
    assistant_mobile: assistant?.mobile ?? '',
    created_at: homework.publish_time,
    end_time: homework.ending_time,
    objective_amount: totals.objective.count,
    subjective_amount: totals.subjective.count,
    score: pointsOf(scope.mode, totals.all.score),
    homework_introduce: homework.remark,
  };
}
