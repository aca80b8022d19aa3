/**
 * Homework of the demo school with questions and reports. Scores come from the real rules (grading/scoring.ts), so they
 * always agree with them.
 */

import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import {
  byRate,
  isSubjective,
  markedStatus,
  type rateChoices,
  reportStatus,
  type ScoreMode,
} from '#server/grading/rules.ts';
import { fullScore, materialScore, reportTotals, type ScoredAnswer, scoreAnswer } from '#server/grading/scoring.ts';
import { fromSession } from '#server/homework/rules.ts';
import {
  type BankName,
  type BankQuestion,
  type DemoSubject,
  demoBank,
  stemText,
  storedAnswer,
  storedHtml,
  storedOptions,
} from './bank.ts';
import type { DemoClass, DemoMember, DemoStaff } from './people.ts';
import { addPoints } from './points.ts';
import type { DemoQuestion } from './questions/question.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { addReviewHistory } from './review-history.ts';
import type { RowWriter } from './row-writer.ts';

const hour = 3600;

// ---- The bank ----------------------------------------------------------------------------------

/** A question of the bank with its stored ids. */
export interface StoredQuestion extends BankQuestion {
  id: number;
  pointId: number;
  partIds: number[];
}

export function addBank(
  writer: RowWriter,
  owners: Record<BankName, DemoStaff>,
  { subjects, now }: { subjects: Record<DemoSubject, number>; now: number },
): StoredQuestion[] {
  const pointOf = addPoints(writer, subjects);
  return demoBank.map((question, index) => {
    // Spread over the last months, so that a list by time mixes the types.
    const updatedAt = now - ((index * 37) % 101) * 22 * hour - index * 60 - hour;
    const place = { owner: owners[question.bank], isPublic: question.bank === 'public', updatedAt };
    const pointId = pointOf(question);
    return { ...question, pointId, ...addQuestion(writer, question, { ...place, pointId }) };
  });
}

export function addQuestion(
  writer: RowWriter,
  question: DemoQuestion,
  { owner, isPublic, pointId, updatedAt }: { owner: DemoStaff; isPublic: boolean; pointId: number; updatedAt: number },
): Pick<StoredQuestion, 'id' | 'partIds'> {
  const add = (one: DemoQuestion, parentId: number | null, sort: number) =>
    writer.add('question', {
      owner_id: owner.id,
      is_public: isPublic ? 1 : 0,
      parent_id: parentId,
      point_id: parentId === null ? pointId : null,
      sort,
      ...storedQuestion(one),
      created_at: updatedAt - 30 * hour,
      updated_at: updatedAt,
    });
  const id = add(question, null, 0);
  return { id, partIds: question.parts.map((part, sort) => add(part, id, sort + 1)) };
}

const storedQuestion = (question: DemoQuestion) => ({
  ques_type: question.type,
  ques_stem: storedHtml(question.stem),
  stem_text: stemText(storedHtml(question.stem)),
  ques_option: storedOptions(question),
  right_answer: storedAnswer(question),
  ques_analysis: storedHtml(question.analysis),
  facility_value: question.facility,
  remark: question.remark,
});

// ---- One homework ------------------------------------------------------------------------------

export interface HomeworkPlan {
  name: string;
  /** 1 course, 2 period. */
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
  /** The classes of its scope, and those it was published to. */
  classes: DemoClass[];
  published: DemoClass[];
  /** Candidate questions, and the number of answers asked for (parts of material questions count, not the material). */
  pool: StoredQuestion[];
  questionCount: number;
  /** `some`: at least one short answer; `none`: every report is graded on submission. */
  subjective: 'some' | 'none';
  /** Number of submissions, by the number of expected students. */
  handedIn(expected: number): number;
  /** Share of the reports with subjective answers that is graded, 0 to 1. */
  gradedShare: number;
  /** The lesson it was published from. */
  arrangeId?: number;
}

/** Adds the rows of a homework; `recountHomework` computes its counters later. */
export function addHomework(writer: RowWriter, plan: HomeworkPlan, seed: number, now: number): number {
  const random = seededRandom(seed);
  const chosen = chooseQuestions(plan, random);
  // One factor for all questions, so that fractions such as 2.5 points occur.
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
    arrange_type: plan.arrangeId === undefined ? null : fromSession,
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
  const handing = new Set(random.shuffled(expected).slice(0, plan.handedIn(expected.length)));
  for (const member of expected) {
    if (handing.has(member)) addHandedIn(writer, plan, { homeworkId, asked: questions, member, random, now });
    else writer.add('report', { ...blankReport, ...reportKeys(homeworkId, member) });
  }
  return homeworkId;
}

/** Tenths of a point by question type. */
export const defaultScores: Record<number, number> = { 1: 50, 2: 30, 3: 60, 4: 60, 5: 120, 7: 50 };
/** Order of types: choices, blanks, short answers, material questions. */
const orderOfTypes = [1, 2, 3, 4, 7, 5, 6];
const answersAsked = (question: BankQuestion) => Math.max(1, question.parts.length);

function chooseQuestions({ pool, questionCount, subjective }: HomeworkPlan, random: SeededRandom): StoredQuestion[] {
  const isWritten = (question: BankQuestion) =>
    isSubjective(question.type) || question.parts.some((part) => isSubjective(part.type));
  const shuffled = random.shuffled(pool);
  const chosen: StoredQuestion[] = [];
  let questions = 0;
  const take = (question: StoredQuestion | undefined) => {
    if (!question || chosen.includes(question) || questions + answersAsked(question) > questionCount) return;
    chosen.push(question);
    questions += answersAsked(question);
  };
  if (subjective === 'some') {
    take(shuffled.find((question) => isSubjective(question.type)));
    if (questionCount >= 5 && random.chance(0.6)) take(shuffled.find((question) => question.parts.length > 0));
  }
  for (const question of shuffled) if (subjective === 'some' || !isWritten(question)) take(question);
  return chosen.sort((a, b) => orderOfTypes.indexOf(a.type) - orderOfTypes.indexOf(b.type));
}

/** Students expected to submit: members at publication, each once, as in `publishToClasses`. */
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

// ---- What students answer ----------------------------------------------------------------------

export interface PossibleAnswer extends ScoredAnswer {
  userAnswer: string;
  /** Equal for equal waiting texts. */
  key: string | null;
}

/** A question with its possible answers, already scored. */
export interface SimulatedQuestion {
  id: number;
  subjective: boolean;
  full: number;
  facility: number;
  blank: PossibleAnswer;
  /** From best to worst answer; answers of one level are equally likely. */
  levels: PossibleAnswer[][];
}

/** `levels`: answers that cannot be derived from the question; `blankScores`: for fill-in questions. */
export function simulateQuestion(
  question: DemoQuestion,
  id: number,
  score: number,
  more: { levels?: string[][] | undefined; blankScores?: number[] | undefined } = {},
): SimulatedQuestion {
  const { blankScores } = more;
  const answerable = { id, ques_type: question.type, right_answer: question.right, ignore_case: 0, score, blankScores };
  const possible = (userAnswer: string): PossibleAnswer => {
    const scored = scoreAnswer(answerable, userAnswer);
    return { userAnswer, ...scored, key: sameAnswerKey(userAnswer, scored.status) };
  };
  return {
    id,
    subjective: isSubjective(question.type),
    full: score,
    facility: question.facility,
    blank: possible(''),
    levels: (more.levels ?? plausibleAnswers(question)).map((level) => level.map(possible)),
  };
}

function plausibleAnswers(question: DemoQuestion): string[][] {
  if (question.type === 5) return writtenAnswers(question.right).map((level) => level.map(asUserAnswer));
  if (question.type === 7)
    return [[question.right, question.right, fullWidth(question.right)], ...wrongBlanks(question.right)];
  const ids = question.options.map((_, index) => String(index + 1));
  const right = question.right.split(',');
  const others = ids.filter((id) => !right.includes(id));
  // One wrong option is chosen more than the others.
  if (question.type <= 2) return [[question.right], [...others.slice(0, 1), ...others]];
  const without = right.map((id) => right.filter((kept) => kept !== id).join(',')).filter(Boolean);
  const withOther = others.map((id) => [...right, id].sort().join(','));
  return [[question.right], [...without, ...withOther, ...others]];
}

/** The editor of the learners' application sends HTML for formulas, else text. */
const asUserAnswer = (content: string) =>
  JSON.stringify(
    /[<$]/.test(content) ? { content: storedHtml(content), images: [], format: 'html' } : { content, images: [] },
  );

/** Complete, half, and wrong answers. */
function writtenAnswers(reference: string): string[][] {
  const sentences = reference.split(/(?<=[。；.;])/);
  const half = sentences.slice(0, Math.ceil(sentences.length / 2)).join('');
  const cut = wholeFormulas(
    half.length < reference.length ? half : reference.slice(0, Math.ceil(reference.length / 2)),
  );
  return [
    [reference, `解：${reference}`],
    [`${cut}后面的步骤我没有写完整。`, `${cut}……`, `我的思路是：${cut}`],
    ['这道题我没有思路，只会第一步。', '不太确定，请老师讲一讲。', '不会做，上课没有听懂这一部分。'],
  ];
}

/** Never cuts within a formula. */
const wholeFormulas = (text: string) =>
  text.split('$').length % 2 === 1 ? text : text.slice(0, text.lastIndexOf('$'));

/** Full-width forms, as typed by Chinese input methods, count as equal. */
const fullWidth = (text: string) =>
  text
    .split('@@')
    .map((blank) => blank.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)))
    .join('@@');

function wrongBlanks(right: string): string[][] {
  const answers = right.split('@@');
  const guess = (answer: string) => (/^-?\d+$/.test(answer) ? String(Number(answer) + 1) : '不记得了');
  const oneWrong = answers.map((_, wrong) =>
    answers.map((answer, index) => (index === wrong ? guess(answer) : answer)),
  );
  const allWrong = answers.map(guess).join('@@');
  return [oneWrong.map((blanks) => blanks.join('@@')), [allWrong]];
}

// ---- Reports -----------------------------------------------------------------------------------

const reportKeys = (homeworkId: number, member: DemoMember) => ({
  homework_id: homeworkId,
  class_id: member.classId,
  student_id: member.studentId,
});

const blankReport = {
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

export const finalComments = [
  '',
  '',
  '',
  '完成得不错，继续保持！',
  '书写认真，注意审题。',
  '有进步，错题请订正后再看一遍。',
  '课后来找老师一起看第二题。',
];
export const commentsByLevel = [
  ['思路清晰，步骤完整。', '很好！', ''],
  ['思路正确，后面的步骤要写完整。', '注意书写过程。', ''],
  ['请重新看一遍例题，再订正。', '先把已知条件列出来。'],
];

function addHandedIn(
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
    const level = answerLevel(question, member, random);
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
  // A report with all answers graded is finished too.
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

/** Draws the level of the student's answer; undefined: blank. */
export function answerLevel(question: SimulatedQuestion, member: DemoMember, random: SeededRandom): number | undefined {
  const chance = Math.min(0.97, Math.max(0.08, member.skill - (question.facility - 2.5) * 0.08));
  const drawn = random.next();
  if (drawn > 1 - 0.08 * (1 - member.skill)) return undefined;
  if (drawn < chance) return 0;
  return question.levels.length > 2 && drawn < chance + (1 - chance) * 0.6 ? 1 : question.levels.length - 1;
}

/** Stored score of an answer of this level. */
export function markFor(mode: ScoreMode, full: number, level: number, random: SeededRandom): number {
  if (mode === byRate) {
    const rates = [
      [100, 100, 75],
      [75, 60, 50],
      [25, 0],
    ][level] as (typeof rateChoices)[number][];
    return random.pick(rates);
  }
  const share = random.pick(
    [
      [1, 1, 0.9, 0.8],
      [0.7, 0.6, 0.5, 0.4],
      [0.2, 0.1, 0],
    ][level] as number[],
  );
  return Math.round((full * share) / 5) * 5;
}
