/** Reports of the demo homework, with answers and marks. */
import { markedStatus, reportStatus } from '#server/grading/rules.ts';
import { reportTotals } from '#server/grading/scoring.ts';
import type { HomeworkPlan } from './homework.ts';
import type { DemoMember, DemoStaff } from './people.ts';
import type { SeededRandom } from './random.ts';
import { addReviewHistory } from './review-history.ts';
import type { RowWriter } from './row-writer.ts';
import {
  commentsByLevel,
  drawAnswerLevel,
  finalComments,
  markFor,
  type PossibleAnswer,
  type SimulatedQuestion,
} from './simulated-answers.ts';

export const reportKeys = (homeworkId: number, member: DemoMember) => ({
  homework_id: homeworkId,
  class_id: member.classId,
  student_id: member.studentId,
});

export const blankReport = {
  status: reportStatus.notSubmitted,
  submit_time: null,
  answer_time: 0,
  user_score: 0,
  objective_score: 0,
  subjective_score: 0,
  graded_at: null,
  graded_by: null,
  comment: '',
};

export function addSubmittedReport(
  writer: RowWriter,
  plan: HomeworkPlan,
  {
    homeworkId,
    asked: questions,
    member,
    random,
    now,
  }: { homeworkId: number; asked: SimulatedQuestion[]; member: DemoMember; random: SeededRandom; now: number },
): void {
  const until = Math.min(plan.endingTime, now) - 60;
  const submitTime = Math.floor(plan.publishTime + (until - plan.publishTime) * (0.05 + 0.95 * random.next() ** 0.7));
  const isGraded = random.next() < plan.gradedShare;
  const grader = random.chance(0.5) ? plan.creator : graderOf(plan, member, random);
  const gradedAt = submitTime + Math.floor((now - submitTime) * 0.6 * random.next());

  const answers = questions.map((question) => {
    const level = drawAnswerLevel(question, member, random);
    const given = level === undefined ? question.blank : random.pick(question.levels[level] as PossibleAnswer[]);
    const isReviewed =
      question.subjective && level !== undefined && (isGraded || random.chance(0.15 * plan.gradedShare));
    const score = isReviewed ? markFor(plan.mode, question.full, level, random) : given.score;
    return {
      question_id: question.id,
      user_answer: given.userAnswer,
      answer_key: given.key,
      status: isReviewed ? markedStatus(question.full, score as number) : given.status,
      score,
      review_comment: isReviewed ? random.pick(commentsByLevel[level] as string[]) : '',
      reviewed_by: isReviewed ? grader.id : null,
      reviewed_at: isReviewed ? gradedAt : null,
      version: isReviewed ? 1 : 0,
      subjective: question.subjective,
    };
  });
  // A demo report whose answers are all graded is also finished by its grader.
  const totals = reportTotals(answers);
  const isFinished = totals.status === reportStatus.graded;
  const isReviewed = answers.some((answer) => answer.reviewed_by !== null);
  const reportId = writer.add('report', {
    ...reportKeys(homeworkId, member),
    ...totals,
    submit_time: submitTime,
    answer_time: Math.min(
      submitTime - plan.publishTime,
      random.whole(180, 600) + questions.length * random.whole(30, 240),
    ),
    graded_at: isFinished ? (isReviewed ? gradedAt : submitTime) : null,
    graded_by: isFinished && isReviewed ? grader.id : null,
    comment: isFinished && isReviewed ? random.pick(finalComments) : '',
  });
  const reviewed = answers.flatMap(({ subjective, ...answer }) => {
    const id = writer.add('answer', { report_id: reportId, ...answer });
    const { status, score, review_comment: comment } = answer;
    return answer.reviewed_by === null ? [] : [{ id, status, score, comment }];
  });
  addReviewHistory(writer, {
    records: { report: 'report', answer: 'answer' },
    reportId,
    staffId: grader.id,
    at: gradedAt,
    answers: reviewed,
    finished: isFinished
      ? {
          before: { status: reportStatus.waiting },
          after: { status: reportStatus.graded, user_score: totals.user_score },
        }
      : undefined,
  });
}

const graderOf = (plan: HomeworkPlan, member: DemoMember, random: SeededRandom): DemoStaff => {
  const assistants = plan.published.find((theClass) => theClass.id === member.classId)?.assistants ?? [];
  return assistants.length > 0 ? random.pick(assistants) : plan.creator;
};
