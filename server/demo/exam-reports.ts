/** Reports of the demo exams, with answers and marks. */
import { testStatus } from '#server/exams/rules.ts';
import { meetsFinishConditions } from '#server/exams/submission.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { answerStatus, markedStatus } from '#server/grading/rules.ts';
import { reportTotals } from '#server/grading/scoring.ts';
import type { ExamPlan } from './exam-plans.ts';
import { drawFigure } from './figure.ts';
import type { DemoMember } from './people.ts';
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

const hour = 3600;
const minute = 60;

export function addReports(
  writer: RowWriter,
  plan: ExamPlan,
  {
    examId,
    asked: questions,
    createdAt,
    random,
    now,
  }: { examId: number; asked: SimulatedQuestion[]; createdAt: number; random: SeededRandom; now: number },
): void {
  const members = (plan.classes ?? []).flatMap((theClass) => theClass.members.map((member) => ({ member, theClass })));
  const seen = new Set<number>();
  const takers = random.shuffled(members).filter(({ member }) => {
    const isNew = !seen.has(member.studentId) && member.leftAt === null;
    seen.add(member.studentId);
    return isNew;
  });
  for (const [index, { member, theClass }] of takers.slice(0, plan.reports ?? 0).entries()) {
    // Every seventh student takes the exam twice, and some three times.
    const times = index % 7 === 3 ? 2 + (index % 2) : 1;
    let from = createdAt + hour;
    for (let time = 1; time <= times; time += 1) {
      const until = from + ((now - minute - from) * (0.3 + 0.7 * random.next())) / (times - time + 1);
      const at = Math.floor(until);
      from = at;
      addReport(writer, plan, { examId, asked: questions, member, schoolId: theClass.schoolId, at, random, now });
    }
  }
}

function addReport(
  writer: RowWriter,
  plan: ExamPlan,
  {
    examId,
    asked: questions,
    member,
    schoolId,
    at,
    random,
    now,
  }: {
    examId: number;
    asked: SimulatedQuestion[];
    member: DemoMember;
    schoolId: number;
    at: number;
    random: SeededRandom;
    now: number;
  },
): void {
  const gradedShare = plan.gradedShare ?? 1;
  const isGraded = random.next() < gradedShare;
  const gradedAt = at + Math.floor((now - at) * 0.6 * random.next());
  const answers = questions.map((question) => {
    const level = drawAnswerLevel(question, member, random);
    const given = level === undefined ? question.blank : random.pick(question.levels[level] as PossibleAnswer[]);
    const isReviewed = question.subjective && level !== undefined && (isGraded || random.chance(0.2 * gradedShare));
    const score = isReviewed ? markFor(2, question.full, level, random) : given.score;
    // Some answers have photographs. One photograph in ten is missing from the storage.
    const userAnswer =
      question.subjective && level !== undefined && random.chance(0.25)
        ? withPictures(given.userAnswer, random.chance(0.1) ? '/files/gone.png' : notesPicture)
        : given.userAnswer;
    return {
      question_id: question.id,
      status: isReviewed ? markedStatus(question.full, score as number) : given.status,
      user_answer: userAnswer,
      answer_key: sameAnswerKey(userAnswer, isReviewed ? answerStatus.reviewed : given.status),
      score,
      is_sign: random.chance(0.06) ? (1 as const) : (0 as const),
      review_comment: isReviewed ? random.pick(commentsByLevel[level] as string[]) : '',
      reviewed_by: isReviewed ? plan.creator.id : null,
      reviewed_at: isReviewed ? gradedAt : null,
      version: isReviewed ? 1 : 0,
      subjective: question.subjective,
    };
  });
  const { status, ...totals } = reportTotals(answers);
  const wasReviewed = answers.some((answer) => answer.reviewed_by !== null);
  const isFinished = status === 3;
  const most = plan.limit === 0 ? 3 * hour : plan.limit * minute * 1.05;
  const answerTime = Math.floor(most * (0.3 + 0.7 * random.next()));
  const reportId = writer.add('exam_report', {
    ...totals,
    exam_id: examId,
    student_id: member.studentId,
    school_id: schoolId,
    test_status: isFinished ? testStatus.reviewed : testStatus.waiting,
    submit_time: at,
    answer_time: answerTime,
    is_effective: 1,
    is_finish_conditions: meetsFinishConditions({ limit_time: plan.limit * minute }, answerTime, answers) ? 1 : 0,
    graded_at: isFinished ? (wasReviewed ? gradedAt : at) : null,
    graded_by: isFinished && wasReviewed ? plan.creator.id : null,
    comment: isFinished && wasReviewed ? random.pick(finalComments) : '',
  });
  const reviewed = answers.flatMap(({ subjective, ...answer }) => {
    const id = writer.add('exam_answer', { report_id: reportId, ...answer });
    const { status, score, review_comment: comment } = answer;
    return answer.reviewed_by === null ? [] : [{ id, status, score, comment }];
  });
  addReviewHistory(writer, {
    records: { report: 'exam_report', answer: 'exam_answer' },
    reportId,
    staffId: plan.creator.id,
    at: gradedAt,
    answers: reviewed,
    finished: isFinished
      ? {
          before: { test_status: testStatus.waiting },
          after: { test_status: testStatus.reviewed, user_score: totals.user_score },
        }
      : undefined,
  });
}

/** The picture is drawn only once and used in many answers. */
const notesPicture = drawFigure('notes');

const withPictures = (userAnswer: string, ...images: string[]) => {
  const answer = JSON.parse(userAnswer) as { content: string };
  return JSON.stringify({ ...answer, images });
};
