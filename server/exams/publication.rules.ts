/** Reasons why the paper of an exam cannot be published yet. */
import { isMaterial, isSubjective } from '#server/grading/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { isSameOption } from '#server/questions/rules.ts';
import { type ExamSchedule, examPoints, otherSchoolsFault } from './rules.ts';

interface PaperToCheck extends ExamSchedule {
  score: number;
  pass_score: number;
  limit_time: number;
  sections: readonly {
    name: string;
    questions: readonly QuestionToCheck[];
  }[];
  /** Names of schools that the exam's author does not manage. */
  beyond: readonly string[];
}

interface QuestionToCheck {
  number: string;
  ques_type: number;
  right_answer: string;
  options?: readonly { content: string; side?: 'left' | 'right' | undefined }[];
  score: number;
  parts: readonly QuestionToCheck[];
}

const hasSameOptions = ({ options = [] }: QuestionToCheck): boolean =>
  options.some((one, index) =>
    options.slice(0, index).some((other) => other.side === one.side && isSameOption(other, one)),
  );

/** Joins the faults that prevent publishing into one sentence. */
export const publishFaultSentence = (faults: readonly string[]): string => `试卷还不能发布：${faults.join('；')}`;

/** Lists every reason why a paper cannot be published yet. */
export function paperFaults(exam: PaperToCheck, now: number): string[] {
  const { sections, score, pass_score, start_at, end_at, limit_time } = exam;
  const questions = sections.flatMap(({ questions }) => questions);
  const faults = questions.length === 0 ? ['试卷还没有题目'] : [];
  if (questions.length > 0) {
    for (const { name, questions } of sections) if (questions.length === 0) faults.push(`“${name}”没有题目`);
  }
  const carrying = questions.flatMap((question) => (isMaterial(question.ques_type) ? question.parts : [question]));
  const where = (is: (question: QuestionToCheck) => boolean, of = carrying) =>
    of
      .filter(is)
      .map(({ number }) => number)
      .join('、');
  const bare = where(({ ques_type, parts }) => isMaterial(ques_type) && parts.length === 0, questions);
  const unscored = where((question) => question.score === 0);
  const unanswered = where(({ ques_type, right_answer }) => !isSubjective(ques_type) && right_answer.trim() === '');
  if (bare) faults.push(`第${bare}题没有小题`);
  if (unscored) faults.push(`第${unscored}题没有分值`);
  if (unanswered) faults.push(`第${unanswered}题没有正确答案`);
  const same = where(hasSameOptions);
  if (same) faults.push(`第${same}题有相同的选项`);
  if (pass_score > score && questions.length > 0) {
    faults.push(`及格分${formatScore(examPoints(pass_score))}高于总分${formatScore(examPoints(score))}`);
  }
  if (end_at !== null && end_at <= now) faults.push('结束时间已过');
  else if (end_at !== null && limit_time > end_at - Math.max(start_at ?? now, now)) {
    faults.push('考试时长比开放的时间长');
  }
  const beyond = otherSchoolsFault(exam.beyond);
  return beyond ? [...faults, beyond] : faults;
}
