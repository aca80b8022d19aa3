import { testStatus } from '#server/exams/rules.ts';
import { finishesConditions } from '#server/exams/submission.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { answerStatus, markedStatus } from '#server/grading/rules.ts';
import { reportTotals } from '#server/grading/scoring.ts';
import { type DemoSubject, storedAnswer, storedHtml, storedOptions } from './bank.ts';
import { readData } from './data.ts';
import { figure } from './figure.ts';
import {
  answerLevel,
  commentsByLevel,
  defaultScores,
  finalComments,
  markFor,
  type PossibleAnswer,
  type SimulatedQuestion,
  type StoredQuestion,
  simulateQuestion,
} from './homework.ts';
import type { DemoClass, DemoMember, DemoStaff } from './people.ts';
import { completeQuestion, type DemoQuestion, type WrittenQuestion } from './questions/question.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { addReviewHistory } from './review-history.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;
const minute = 60;
const hour = 3600;

interface ExamPlan {
  name: string;
  introduce?: string;
  category: string;
  /** Subject of its questions in the bank. */
  subject: DemoSubject | '综合';
  creator: DemoStaff;
  school: number;
  shared?: number[] | undefined;
  status?: 1 | 2;
  type?: 1 | 2;
  /** Minutes; 0: no limit. */
  limit: number;
  /** Number of questions from the bank by type, besides `own`. */
  questions: Partial<Record<1 | 2 | 3 | 4 | 5 | 6 | 7, number>>;
  own?: OwnQuestion[] | undefined;
  /** Pass mark in per cent of the full score. */
  pass?: number;
  /** True for a survey: questions have no points. */
  unscored?: boolean;
  classes?: DemoClass[] | undefined;
  reports?: number;
  /** Share of the submissions with subjective answers that is graded. */
  gradedShare?: number;
  /** Days ago. */
  created: number;
}

/** A question that is not in the bank. */
interface OwnQuestion extends DemoQuestion {
  matching?: { left: string[]; right: string[] };
  levels?: string[][];
  /** Points per blank. */
  blankPoints?: number[];
}

interface DemoContext {
  schools: [number, number];
  staff: Record<'teacher' | 'teacher2' | 'teacher3' | 'teacher4' | 'assist', DemoStaff>;
  classes: Record<'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k7' | 'k8', DemoClass>;
  bank: StoredQuestion[];
  now: number;
}

interface FurtherExam {
  turn: number;
  edition: string;
  creator: DemoStaff;
  school: number;
  shared: number[] | undefined;
  classes: DemoClass[];
  reports: number;
  created: number;
}

/** Context of one exam; `seed` makes it deterministic. */
interface ExamContext extends Pick<DemoContext, 'bank' | 'now'> {
  categories: Record<string, number>;
  seed: number;
}

interface CategoryTree {
  [name: string]: CategoryTree;
}

/** An exam in exams.json, with names instead of ids. */
type WrittenPlan = Omit<ExamPlan, 'creator' | 'school' | 'shared' | 'own' | 'classes'> & {
  creator: keyof DemoContext['staff'];
  school: 'jingan' | 'pudong';
  shared?: ('jingan' | 'pudong')[];
  own?: (keyof typeof ownQuestions)[];
  classes?: (keyof DemoContext['classes'])[];
};

/** Adds all exams; returns their ids, for `recountExam`, and category ids by name. */
export function addExams(
  writer: RowWriter,
  around: DemoContext,
): { exams: number[]; categories: Record<string, number> } {
  const categories = addCategories(writer);
  const exams = examPlans(around).map((plan, index) =>
    addExam(writer, plan, { ...around, categories, seed: 5000 + index }),
  );
  return { exams, categories };
}

function addCategories(writer: RowWriter): Record<string, number> {
  const ids: Record<string, number> = {};
  let sort = 0;
  const add = (tree: CategoryTree, parent_id: number | null) => {
    for (const [name, children] of Object.entries(tree)) {
      sort += 1;
      ids[name] = writer.add('exam_category', { parent_id, name, sort });
      add(children, ids[name]);
    }
  };
  add(written.categories, null);
  return ids;
}

// ---- Questions outside the bank -------------------------------------------------------------------

const pairs = (rights: number[], count: number) =>
  rights.map((right, index) => `${index + 1}-${count + right}`).join(',');

interface MatchingQuestion {
  stem: string;
  left: string[];
  right: string[];
  /** For each left option the index of its partner. */
  partners: number[];
  analysis: string;
}

/** Left options have ids 1 to n, right ones follow. */
function matching({ stem, left, right, partners, analysis }: MatchingQuestion): OwnQuestion {
  const wrong = [
    partners.map((_, index) => partners[(index + 1) % partners.length] as number),
    [...partners].reverse(),
  ];
  return {
    ...completeQuestion({ type: 4, stem, right: pairs(partners, left.length), analysis, facility: 3 }),
    matching: { left, right },
    levels: [[pairs(partners, left.length)], wrong.map((one) => pairs(one, left.length))],
  };
}

type WrittenOwn = WrittenQuestion & Pick<OwnQuestion, 'blankPoints'>;

const ownQuestion = (written: WrittenOwn): OwnQuestion => ({
  ...completeQuestion(written),
  stem: written.stem.replace(/figure:(triangle|parabola)/, (_, name: 'triangle' | 'parabola') => figure(name)),
});

const own = readData<{
  matchingFunctions: MatchingQuestion;
  matchingWords: MatchingQuestion;
  withFigure: WrittenOwn;
  blanksWithScores: WrittenOwn;
  survey: WrittenOwn[];
}>('questions/exams.json');
const ownQuestions = {
  matchingFunctions: matching(own.matchingFunctions),
  matchingWords: matching(own.matchingWords),
  withFigure: ownQuestion(own.withFigure),
  blanksWithScores: ownQuestion(own.blanksWithScores),
  survey: own.survey.map(ownQuestion),
};

// ---- All exams -----------------------------------------------------------------------------------

const written = readData<{
  categories: CategoryTree;
  sections: { name: string; introduce: string; types: number[] }[];
  exams: WrittenPlan[];
}>('exams.json');

function examPlans({ schools: [jingan, pudong], staff, classes }: DemoContext): ExamPlan[] {
  const schools = { jingan, pudong };
  return written.exams.map(({ creator, school, shared, own, classes: takenBy, ...plan }) => ({
    ...plan,
    creator: staff[creator],
    school: schools[school],
    shared: shared?.map((name) => schools[name]),
    own: own?.flatMap((name) => ownQuestions[name]),
    classes: takenBy?.map((name) => classes[name]),
  }));
}

/** Repeats one of the exams that were taken, in turn, with other students. */
export function repeatExam(writer: RowWriter, { turn, edition, ...plan }: FurtherExam, around: ExamContext): number {
  const taken = written.exams.filter(({ reports }) => reports !== undefined);
  const again = taken[turn % taken.length] as WrittenPlan;
  const own = again.own?.flatMap((name) => ownQuestions[name]);
  return addExam(writer, { ...again, ...plan, name: `${again.name}（${edition}）`, own }, around);
}

// ---- One exam ----------------------------------------------------------------------------------

function addExam(writer: RowWriter, plan: ExamPlan, { bank, categories, seed, now }: ExamContext): number {
  const random = seededRandom(seed);
  const pool = random.shuffled(bank.filter(({ subject }) => plan.subject === '综合' || subject === plan.subject));
  const chosen: (OwnQuestion & { id?: number; partIds?: number[] })[] = [
    ...Object.entries(plan.questions).flatMap(([type, count]) =>
      pool.filter((question) => question.type === Number(type)).slice(0, count),
    ),
    ...(plan.own ?? []),
  ];
  const worth = (question: OwnQuestion): number => {
    if (plan.unscored) return 0;
    if (question.parts.length > 0) return question.parts.reduce((sum, part) => sum + worth(part), 0);
    return question.type === 7
      ? blankTenths(question).reduce((sum, tenths) => sum + tenths, 0)
      : (defaultScores[question.type] ?? 50);
  };
  const score = chosen.reduce((sum, question) => sum + worth(question), 0);
  const createdAt = now - plan.created * day - random.whole(0, 6) * hour;
  const examId = writer.add('exam', {
    name: plan.name,
    introduce: plan.introduce ?? '',
    type: plan.type ?? 1,
    category_id: categories[plan.category] ?? null,
    limit_time: plan.limit * minute,
    score,
    pass_score: Math.round((score * (plan.pass ?? 60)) / 1000) * 10,
    ques_num: chosen.reduce((sum, question) => sum + Math.max(1, question.parts.length), 0),
    status: plan.status ?? 1,
    creator_id: plan.creator.id,
    school_id: plan.school,
    created_at: createdAt,
  });
  for (const school_id of plan.shared ?? []) writer.addPlain('exam_school', { exam_id: examId, school_id });

  const questions: SimulatedQuestion[] = [];
  const add = (
    question: OwnQuestion,
    at: { section_id: number; parent_id: number | null; sort: number; source_id: number | null },
  ) => {
    const tenths = worth(question);
    const blankScores = question.type === 7 && !plan.unscored ? blankTenths(question) : undefined;
    const id = writer.add('exam_question', {
      ...at,
      exam_id: examId,
      ques_type: question.type,
      ques_stem: storedHtml(question.stem),
      ques_option: question.matching ? matchingOptions(question.matching) : storedOptions(question),
      right_answer: storedAnswer(question),
      ques_analysis: storedHtml(question.analysis),
      facility_value: question.facility,
      score: tenths,
      answer_score: blankScores?.join('@@') ?? '',
      points: JSON.stringify(question.remark ? [question.remark] : []),
      attachments: '[]',
    });
    if (question.parts.length === 0)
      questions.push(simulateQuestion(question, id, tenths, { levels: question.levels, blankScores }));
    return id;
  };
  let sectionNumber = 0;
  for (const section of written.sections) {
    const questions = chosen.filter((question) => section.types.includes(question.type));
    if (questions.length === 0) continue;
    sectionNumber += 1;
    const section_id = writer.add('exam_section', {
      exam_id: examId,
      name: section.name.replace(/^./, '一二三四五六'[sectionNumber - 1] as string),
      introduce: section.introduce,
      sort: sectionNumber,
    });
    for (const [index, question] of questions.entries()) {
      const parent = add(question, { section_id, parent_id: null, sort: index + 1, source_id: question.id ?? null });
      for (const [part, one] of question.parts.entries()) {
        const source_id = question.partIds?.[part] ?? null;
        add(one, { section_id, parent_id: parent, sort: part + 1, source_id });
      }
    }
  }
  addReports(writer, plan, { examId, asked: questions, createdAt, random, now });
  return examId;
}

/** Score of each blank in tenths of a point; 2 points by default. */
const blankTenths = (question: OwnQuestion) =>
  question.blankPoints?.map((points) => points * 10) ?? question.right.split('@@').map(() => 20);

function matchingOptions({ left, right }: { left: string[]; right: string[] }): string {
  const option = (side: 'left' | 'right', before: number) => (content: string, index: number) => ({
    id: before + index + 1,
    content: storedHtml(content),
    is_right: 2,
    side,
  });
  return JSON.stringify([...left.map(option('left', 0)), ...right.map(option('right', left.length))]);
}

function addReports(
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
    // Every seventh student takes it twice, some three times.
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
    const level = answerLevel(question, member, random);
    const given = level === undefined ? question.blank : random.pick(question.levels[level] as PossibleAnswer[]);
    const isReviewed = question.subjective && level !== undefined && (isGraded || random.chance(0.2 * gradedShare));
    const score = isReviewed ? markFor(2, question.full, level, random) : given.score;
    // Some answers have photographs; one picture in ten is missing.
    const userAnswer =
      question.subjective && level !== undefined && random.chance(0.25)
        ? withPictures(given.userAnswer, random.chance(0.1) ? '/files/gone.png' : notes)
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
    is_finish_conditions: finishesConditions({ limit_time: plan.limit * minute }, answerTime, answers) ? 1 : 0,
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

/** Created once and used many times. */
const notes = figure('notes');

const withPictures = (userAnswer: string, ...images: string[]) => {
  const answer = JSON.parse(userAnswer) as { content: string };
  return JSON.stringify({ ...answer, images });
};
