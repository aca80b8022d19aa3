/** Adds the demo school's homework with its questions; homework-reports.ts adds the students' reports. */
import { isSubjective, type ScoreMode } from '#server/grading/rules.ts';
import { fullScore, materialScore } from '#server/grading/scoring.ts';
import { sourceSession } from '#server/homework/rules.ts';
import { type BankQuestion, storedAnswer, storedHtml, storedOptions } from './bank.ts';
import type { StoredQuestion } from './bank-rows.ts';
import { addSubmittedReport, blankReport, reportKeys } from './homework-reports.ts';
import type { DemoClass, DemoMember, DemoStaff } from './people.ts';
import type { DemoQuestion } from './questions/question.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';
import { type SimulatedQuestion, simulateQuestion } from './simulated-answers.ts';

const hour = 3600;

export interface HomeworkPlan {
  name: string;
  /** 1: course homework. 2: period homework. */
  type: 1 | 2;
  courseId: number;
  periodId: number | null;
  creator: DemoStaff;
  remark: string;
  mode: ScoreMode;
  publishScope: 1 | 2 | 3;
  source: 1 | 2;
  isRecalled: boolean;
  /** Unix seconds. */
  publishTime: number;
  endingTime: number;
  /** Classes in the homework's scope, and the classes it was published to. */
  classes: DemoClass[];
  published: DemoClass[];
  /**
   * Questions to choose from, and how many answers the homework should have. Each part of a material question counts as
   * one answer.
   */
  pool: StoredQuestion[];
  questionCount: number;
  /**
   * `some`: at least one short answer. `none`: only objective questions, so that every report is graded on submission.
   */
  subjective: 'some' | 'none';
  /** Number of submissions if `expected` students have the homework. */
  handedIn(expected: number): number;
  /** Share of reports with subjective answers that are graded, from 0 to 1. */
  gradedShare: number;
  /** Id of the lesson in which the homework was published. */
  arrangeId?: number;
}

/** Adds the rows of a homework; `recountHomework` computes its counters later. */
export function addHomework(writer: RowWriter, plan: HomeworkPlan, seed: number, now: number): number {
  const random = seededRandom(seed);
  const chosen = chooseQuestions(plan, random);
  // One factor for all questions of the homework, so that fractions such as 2.5 points occur.
  const factor = random.pick([1, 1, 1, 0.5, 2]);
  const scoreOf = (type: number) => fullScore(plan.mode, Math.max(10, (defaultScores[type] ?? 50) * factor));
  const worth = (question: StoredQuestion) =>
    question.parts.length > 0
      ? materialScore(question.parts.map((part) => ({ score: scoreOf(part.type) })))
      : scoreOf(question.type);

  const homeworkId = writer.add('homework', {
    name: plan.name,
    type: plan.type,
    status: plan.isRecalled ? 2 : 1,
    course_id: plan.courseId,
    period_id: plan.periodId,
    creator_id: plan.creator.id,
    remark: plan.remark,
    publish_time: plan.publishTime,
    ending_time: plan.endingTime,
    is_set_score: plan.mode,
    publish_scope: plan.publishScope,
    publish_type: plan.published.length < plan.classes.length ? 2 : 1,
    source: plan.source,
    arrange_id: plan.arrangeId ?? null,
    arrange_type: plan.arrangeId === undefined ? null : sourceSession,
    total_score: chosen.reduce((sum, question) => sum + worth(question), 0),
  });
  for (const { id } of plan.classes) {
    const published_at = plan.published.some((theClass) => theClass.id === id) ? plan.publishTime : null;
    writer.addPlain('homework_class', { homework_id: homeworkId, class_id: id, published_at });
  }
  if (plan.isRecalled) {
    writer.add('history', {
      at: Math.min(now, plan.publishTime + 26 * hour),
      staff_id: plan.creator.id,
      record: 'homework',
      record_id: homeworkId,
      action: 'recall',
      before: '{"status":1}',
      after: '{"status":2}',
    });
  }

  const questions: SimulatedQuestion[] = [];
  const add = (question: DemoQuestion, sourceId: number, parentId: number | null, sort: number, score: number) => {
    const id = writer.add('homework_question', {
      homework_id: homeworkId,
      source_id: sourceId,
      parent_id: parentId,
      sort,
      ques_type: question.type,
      ques_stem: storedHtml(question.stem),
      ques_option: storedOptions(question),
      right_answer: storedAnswer(question),
      ques_analysis: storedHtml(question.analysis),
      facility_value: question.facility,
      score,
    });
    if (question.parts.length === 0) questions.push(simulateQuestion(question, id, score));
    return id;
  };
  chosen.forEach((question, index) => {
    const id = add(question, question.id, null, index + 1, worth(question));
    question.parts.forEach((part, partIndex) => {
      add(part, question.partIds[partIndex] as number, id, partIndex + 1, scoreOf(part.type));
    });
  });

  const expected = expectedMembers(plan);
  const submitters = new Set(random.shuffled(expected).slice(0, plan.handedIn(expected.length)));
  for (const member of expected) {
    if (submitters.has(member)) addSubmittedReport(writer, plan, { homeworkId, asked: questions, member, random, now });
    else writer.add('report', { ...blankReport, ...reportKeys(homeworkId, member) });
  }
  return homeworkId;
}

/** Default score by question type, in tenths of a point. */
export const defaultScores: Record<number, number> = { 1: 50, 2: 30, 3: 60, 4: 60, 5: 120, 7: 50 };
/** Order of question types in a homework: choices, blanks, short answers, material questions. */
const orderOfTypes = [1, 2, 3, 4, 7, 5, 6];
const answerCount = (question: BankQuestion) => Math.max(1, question.parts.length);

function chooseQuestions({ pool, questionCount, subjective }: HomeworkPlan, random: SeededRandom): StoredQuestion[] {
  const isWritten = (question: BankQuestion) =>
    isSubjective(question.type) || question.parts.some((part) => isSubjective(part.type));
  const shuffled = random.shuffled(pool);
  const chosen: StoredQuestion[] = [];
  let questions = 0;
  const take = (question: StoredQuestion | undefined) => {
    if (!question || chosen.includes(question) || questions + answerCount(question) > questionCount) return;
    chosen.push(question);
    questions += answerCount(question);
  };
  if (subjective === 'some') {
    take(shuffled.find((question) => isSubjective(question.type)));
    if (questionCount >= 5 && random.chance(0.6)) take(shuffled.find((question) => question.parts.length > 0));
  }
  for (const question of shuffled) if (subjective === 'some' || !isWritten(question)) take(question);
  return chosen.sort((a, b) => orderOfTypes.indexOf(a.type) - orderOfTypes.indexOf(b.type));
}

/** Returns the students who must submit: members at publication, each once, as in `publishToClasses`. */
function expectedMembers({ published, publishTime }: HomeworkPlan): DemoMember[] {
  const byStudent = new Map<number, DemoMember>();
  for (const theClass of [...published].sort((a, b) => a.id - b.id)) {
    for (const member of theClass.members) {
      const isIn = member.joinedAt <= publishTime && (member.leftAt === null || member.leftAt > publishTime);
      if (isIn && !byStudent.has(member.studentId)) byStudent.set(member.studentId, member);
    }
  }
  return [...byStudent.values()];
}
