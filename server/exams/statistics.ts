/** Computes the statistics of an exam and of its questions. */

import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { questionTypes } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { isScored, rankedReports } from './pass-and-rank.ts';
import { answerableQuestions, examSections, type NumberedExamQuestion } from './questions.ts';
import { visibleExamFigures } from './reports.ts';
import { choiceLabel, examPoints, examTypeName, isMatching, matchingPairs, toExamType } from './rules.ts';
import type { ExamCharts, ExamQuestionRow, ExamStatistics } from './statistics.contract.ts';
import { findVisibleExam, visibleSchoolId } from './visible.ts';

/** Percentage with one decimal, truncated from exact numbers; 0 if `whole` is 0. */
export const decimalPercent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 1000) / whole) / 10;

/** Average in points of a sum of tenths, rounded half up to a tenth of a point; null without reports. */
export const averagePoints = (sum: number, count: number): number | null =>
  count === 0 ? null : examPoints(Math.floor((2 * sum + count) / (2 * count)));

const total = <Row>(rows: readonly Row[], figure: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + figure(row), 0);

// ---- the whole exam ----------------------------------------------------------------------------

/** Returns the statistics of an exam. 404: not visible. */
export async function statisticsOfExam(
  db: Database,
  actor: Actor,
  examId: number,
): Promise<{ statistics: ExamStatistics; charts_data: ExamCharts } | Refusal> {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  const [schools, extremes, steps, people] = await Promise.all([
    visibleExamFigures(db, exam, actor),
    extremeScores(db, exam, actor),
    scoreSteps(db, exam, actor),
    rankedStudents(db, exam, actor),
  ]);
  const graded = total(schools, (one) => one.graded_count);
  const submitted = total(schools, (one) => one.submitted_count);
  const scoreSum = total(schools, (one) => one.score_sum);
  const passed = total(schools, (one) => one.passed_count);
  return {
    statistics: {
      average_right_percent: decimalPercent(scoreSum, graded * exam.score),
      average_score: averagePoints(scoreSum, graded),
      max_score: extremes.max === null ? null : examPoints(extremes.max),
      min_score: extremes.min === null ? null : examPoints(extremes.min),
      average_answer_time:
        submitted === 0 ? null : Math.floor(total(schools, (one) => one.answer_time_sum) / submitted),
      answer_users_num: total(schools, (one) => one.student_count),
      submitted_nums: submitted,
      graded_nums: graded,
      pass_nums: isScored(exam) ? passed : 0,
      ranked_users_num: people.ranked,
      pass_users_num: people.passed,
      pass_percent: decimalPercent(people.passed, people.ranked),
    },
    charts_data: {
      scoreSteps: steps.map(({ label }) => label),
      userNums: steps.map(({ reports }) => reports),
      percent: steps.map(({ reports }) => decimalPercent(reports, graded)),
    },
  };
}

/** Counts students with a graded report and those among them who passed; both are 0 if the exam has no scores. */
async function rankedStudents(db: Database, exam: Exam, actor: Actor): Promise<{ ranked: number; passed: number }> {
  if (!isScored(exam)) return { ranked: 0, passed: 0 };
  const school = visibleSchoolId(exam, actor);
  const row = await rankedReports(db, exam.id)
    .$if(school !== undefined, (reports) => reports.where('exam_report.school_id', '=', school ?? 0))
    .select((eb) => [
      eb.fn.countAll<number>().as('ranked'),
      sql<number>`coalesce(sum(case when exam_report.user_score >= ${exam.pass_score} then 1 else 0 end), 0)`.as(
        'passed',
      ),
    ])
    .executeTakeFirstOrThrow();
  return { ranked: Number(row.ranked), passed: Number(row.passed) };
}

async function extremeScores(db: Database, exam: Exam, actor: Actor) {
  const school = visibleSchoolId(exam, actor);
  const end = (direction: 'asc' | 'desc') => {
    let scores = db.selectFrom('exam_score').select('user_score').where('exam_id', '=', exam.id);
    if (school !== undefined) scores = scores.where('school_id', '=', school);
    return scores.orderBy('user_score', direction).limit(1).executeTakeFirst();
  };
  const [max, min] = await Promise.all([end('desc'), end('asc')]);
  return { max: max?.user_score ?? null, min: min?.user_score ?? null };
}

const stepCount = 10;

/**
 * Counts the graded reports in each tenth of the full score; a tenth excludes its lower bound and includes its upper
 * one.
 */
async function scoreSteps(db: Database, exam: Exam, actor: Actor): Promise<{ label: string; reports: number }[]> {
  if (exam.score === 0) return [];
  const school = visibleSchoolId(exam, actor);
  // Both SQLite and PostgreSQL divide integers here, so this is the share of ten steps, rounded up, minus one.
  const step = sql<number>`case when user_score <= 0 then 0 else (user_score * ${sql.lit(stepCount)} - 1) / ${sql.lit(exam.score)} end`;
  let scores = db
    .selectFrom('exam_score')
    .select((eb) => [step.as('step'), eb.fn.sum<number>('report_count').as('reports')])
    .where('exam_id', '=', exam.id);
  if (school !== undefined) scores = scores.where('school_id', '=', school);
  const found = await scores.groupBy(step).execute();
  // Bounds are shown as whole tenths of a point, although the exact bound may lie between two.
  const bound = (index: number) => formatScore(examPoints(Math.floor((exam.score * index) / stepCount)));
  return Array.from({ length: stepCount }, (_, index) => ({
    label: `${bound(index)}-${bound(index + 1)}`,
    reports: found.find((row) => row.step === index)?.reports ?? 0,
  }));
}

// ---- its questions -----------------------------------------------------------------------------

interface Tally {
  answered: number;
  unanswered: number;
  right: number;
  wrong: number;
  waiting: number;
  score: number;
  /** How often each wrong option or pair was chosen. */
  chosen: Map<string, number>;
}

export async function questionStatisticsOfExam(db: Database, actor: Actor, examId: number) {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  const [sections, tallies] = await Promise.all([examSections(db, exam.id), talliesOf(db, exam, actor)]);
  const materials = new Map(
    sections.flatMap(({ questions }) => questions.map((question) => [question.id, question] as const)),
  );
  const tallied = answerableQuestions(sections).map((question) => ({ question, tally: tallies(question.id) }));
  return {
    ...tableByType(tallied),
    list: tallied.map(({ question, tally }) => questionRow(question, tally, materials)),
  };
}

async function talliesOf(db: Database, exam: Exam, actor: Actor): Promise<(questionId: number) => Tally> {
  const school = visibleSchoolId(exam, actor);
  const ids = db.selectFrom('exam_question').select('id').where('exam_id', '=', exam.id);
  let figures = db.selectFrom('exam_question_figures').selectAll().where('question_id', 'in', ids);
  let options = db.selectFrom('exam_wrong_option').selectAll().where('question_id', 'in', ids);
  if (school !== undefined) {
    figures = figures.where('school_id', '=', school);
    options = options.where('school_id', '=', school);
  }
  const [counted, chosen] = await Promise.all([figures.execute(), options.execute()]);
  return (questionId) => {
    const own = counted.filter((row) => row.question_id === questionId);
    const tally: Tally = {
      answered: total(own, (row) => row.answered_count),
      unanswered: total(own, (row) => row.unanswered_count),
      right: total(own, (row) => row.right_count),
      wrong: total(own, (row) => row.wrong_count),
      waiting: total(own, (row) => row.waiting_count),
      score: total(own, (row) => row.score_sum),
      chosen: new Map(),
    };
    for (const row of chosen.filter((one) => one.question_id === questionId)) {
      tally.chosen.set(row.option_id, (tally.chosen.get(row.option_id) ?? 0) + row.chosen_count);
    }
    return tally;
  };
}

const safeHtml = (html: string) => renderMath(sanitizeRichText(html));

function questionRow(
  question: NumberedExamQuestion,
  tally: Tally,
  materials: ReadonlyMap<number, NumberedExamQuestion>,
): ExamQuestionRow {
  const graded = tally.answered + tally.unanswered;
  const material = question.parent_id === null ? undefined : materials.get(question.parent_id);
  return {
    question_id: question.id,
    sort: question.number,
    parent_id: question.parent_id,
    parent_ques_stem: material ? safeHtml(material.ques_stem) : null,
    ques_stem: safeHtml(question.ques_stem),
    type: toExamType(question.ques_type),
    is_matching: isMatching(question.options) ? 1 : 0,
    answered_count: tally.answered,
    un_answer_count: tally.unanswered,
    right_count: tally.right,
    wrong_count: tally.wrong,
    waiting_count: tally.waiting,
    right_rate: decimalPercent(tally.score, graded * question.score),
    score: examPoints(question.score),
    average_score: averagePoints(tally.score, graded),
    wrong_option: wrongOption(question, tally.chosen),
  };
}

/**
 * Returns the wrong option chosen most, of equal ones that with the lowest id; `/` if none was chosen or the question
 * has no options.
 */
function wrongOption({ ques_type, options }: NumberedExamQuestion, chosen: ReadonlyMap<string, number>): string {
  const known = new Set(options.map((option) => option.id));
  const candidates = [...chosen].filter(([choice]) => idsOf(choice).every((id) => known.has(id)));
  const [most] = candidates.sort(
    ([one, times], [other, otherTimes]) => otherTimes - times || compareIds(idsOf(one), idsOf(other)),
  );
  if (!most) return '/';
  const option = options.find(({ id }) => String(id) === most[0]);
  return ques_type === 2 && option ? plainText(option.content) : choiceLabel(options, most[0]);
}

function idsOf(choice: string): number[] {
  const [pair] = matchingPairs(choice);
  return pair ? [pair.left, pair.right] : [Number(choice)];
}

const compareIds = (one: number[], other: number[]) =>
  (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);

interface QuestionTally {
  question: NumberedExamQuestion;
  tally: Tally;
}

/** Sums the questions up by type and overall: their number, full scores, and average scores in graded reports. */
function tableByType(tallied: readonly QuestionTally[]) {
  const groups = questionTypes.flatMap((type) => {
    const own = tallied.filter(({ question }) => toExamType(question.ques_type) === type);
    if (own.length === 0) return [];
    const title = examTypeName(
      type,
      own.every(({ question }) => isMatching(question.options)),
    );
    return [{ key: `type_${type}`, title, type, own }];
  });
  const columns = [...groups, { key: 'total', title: '合计', type: null, own: [...tallied] }];
  const line = (item: string, figure: (own: readonly QuestionTally[]) => number) => ({
    item,
    ...Object.fromEntries(columns.map(({ key, own }) => [key, figure(own)])),
  });
  const earned = (own: readonly QuestionTally[]) => total(own, ({ tally }) => tally.score);
  return {
    table_header: [
      { key: 'item', title: '统计项', type: null },
      ...columns.map(({ key, title, type }) => ({ key, title, type })),
    ],
    table_body: [
      line('题数', (own) => own.length),
      line('总分', (own) => examPoints(total(own, ({ question }) => question.score))),
      line('平均分', (own) => averagePoints(earned(own), gradedOf(own)) ?? 0),
      line('正确率（%）', (own) =>
        decimalPercent(
          earned(own),
          total(own, ({ question, tally }) => (tally.answered + tally.unanswered) * question.score),
        ),
      ),
    ],
  };
}

/** Every graded report counts for every question, so the first question gives the number of reports. */
const gradedOf = ([first]: readonly QuestionTally[]) => (first ? first.tally.answered + first.tally.unanswered : 0);
