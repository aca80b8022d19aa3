/** Statistics of each question of a homework. */

import { sql } from 'kysely';
import { answerStatus, isSubjective, pointsOf, reportStatus } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { hasOptions, missingQuestion, questionTypeNames } from '#server/questions/rules.ts';
import { averageCount, averagePoints, fractionOf, sumOfAverages } from './figures.ts';
import { discriminationIndex, facilityIndex } from './item-statistics.ts';
import type {
  AnalysisOrder,
  AnswerDetail,
  AnswerGroup,
  AnswerStudent,
  QuestionAnalysisRow,
  QuestionStatistics,
  TypeStatistics,
} from './question.contract.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  materialStem,
  optionLabel,
  previewItem,
  questionsOf,
  renderStem,
} from './questions.ts';
import { type ReportCounts, reportCounts, reportScope, reportsOf, type Scope } from './scope.ts';

/** Sums of one question over submitted reports, in stored scores. */
interface AnswerTally {
  answered: number;
  right: number;
  part: number;
  wrong: number;
  /** Number of answers that are not graded yet. */
  waiting: number;
  score: number;
  /** The following sums cover only graded reports. */
  gradedScore: number;
  gradedSquares: number;
  gradedByTotal: number;
}

const nothingAnswered: AnswerTally = {
  answered: 0,
  right: 0,
  part: 0,
  wrong: 0,
  waiting: 0,
  score: 0,
  gradedScore: 0,
  gradedSquares: 0,
  gradedByTotal: 0,
};

const submittedStatuses = [reportStatus.waiting, reportStatus.graded];

const submittedReports = (db: Database, scope: Scope) =>
  reportsOf(db, scope).where('report.status', 'in', submittedStatuses);

/** Sums up all answers of the scope by question, in one query. */
const answerTallies = (db: Database, scope: Scope): Promise<Map<number, AnswerTally>> =>
  memoizePerPage(db, `tallies of ${scope.homework.id} in ${scope.classIds}`, async () => {
    const rows = await tallyRows(db, scope);
    return new Map(rows.map(({ question_id, ...tally }) => [question_id, tally]));
  });

const tallyRows = (db: Database, scope: Scope) => {
  const graded = sql`case when report.status = ${sql.lit(reportStatus.graded)} then 1 else 0 end`;
  const score = sql`coalesce(answer.score, 0)`;
  const countOf = (status: number) => sql<number>`sum(case when answer.status = ${sql.lit(status)} then 1 else 0 end)`;
  return submittedReports(db, scope)
    .innerJoin('answer', 'answer.report_id', 'report.id')
    .groupBy('answer.question_id')
    .select('answer.question_id')
    .select([
      sql<number>`sum(case when answer.status = ${sql.lit(answerStatus.unanswered)} then 0 else 1 end)`.as('answered'),
      countOf(answerStatus.right).as('right'),
      countOf(answerStatus.reviewed).as('part'),
      countOf(answerStatus.wrong).as('wrong'),
      countOf(answerStatus.waiting).as('waiting'),
      sql<number>`sum(${score})`.as('score'),
      sql<number>`sum(${score} * ${graded})`.as('gradedScore'),
      sql<number>`sum(${score} * ${score} * ${graded})`.as('gradedSquares'),
      sql<number>`sum(${score} * report.user_score * ${graded})`.as('gradedByTotal'),
    ])
    .execute();
};

/** Counts for each question how many submitted reports chose each option. */
async function optionTallies(
  db: Database,
  scope: Scope,
  questions: readonly AnsweredQuestion[],
): Promise<Map<number, Map<number, number>>> {
  const ids = questions.filter(({ type }) => hasOptions(type)).map(({ id }) => id);
  const tallies = new Map(ids.map((id) => [id, new Map<number, number>()]));
  if (ids.length === 0) return tallies;
  const rows = await submittedReports(db, scope)
    .innerJoin('answer', 'answer.report_id', 'report.id')
    .where('answer.question_id', 'in', ids)
    .groupBy(['answer.question_id', 'answer.user_answer'])
    .select((eb) => ['answer.question_id', 'answer.user_answer', eb.fn.countAll<number>().as('count')])
    .execute();
  for (const { question_id, user_answer, count } of rows) {
    const tally = tallies.get(question_id);
    for (const option of new Set(
      user_answer
        .normalize('NFKC')
        .split(/[\s,]+/)
        .map(Number),
    )) {
      tally?.set(option, (tally.get(option) ?? 0) + count);
    }
  }
  return tallies;
}

/**
 * Returns the label of the wrong option that was chosen most; of equal ones, the one with the lowest id. `/` if none
 * was chosen or the question has no options.
 */
function mostErrorProne(question: AnsweredQuestion, tally: Map<number, number> | undefined): string {
  let most: { label: string; count: number } | undefined;
  for (const option of question.options.filter(({ is_right }) => is_right !== 1).sort((a, b) => a.id - b.id)) {
    const count = tally?.get(option.id) ?? 0;
    if (count > (most?.count ?? 0)) most = { label: optionLabel(question.type, option), count };
  }
  return most?.label ?? '/';
}

interface AnalysisContext {
  scope: Scope;
  counts: ReportCounts;
  questions: AnsweredQuestion[];
  tallyOf: (question: AnsweredQuestion) => AnswerTally;
}

async function analysed(db: Database, actor: Actor, request: Parameters<typeof reportScope>[2]) {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const questions = answeredQuestions(await questionsOf(db, scope.homework.id));
  const tallies = await answerTallies(db, scope);
  return {
    scope,
    counts: await reportCounts(db, scope),
    questions,
    tallyOf: (question: AnsweredQuestion) => tallies.get(question.id) ?? nothingAnswered,
  } satisfies AnalysisContext;
}

/** Returns the number of reports whose answer has a score. An unanswered question counts, with a score of 0. */
const markedCount = ({ counts, tallyOf }: Pick<AnalysisContext, 'counts' | 'tallyOf'>, question: AnsweredQuestion) =>
  counts.submitted - tallyOf(question).waiting;

/** Counts and rates that all lists of questions share. Rates cover only answers that have a score. */
function figuresOf(context: AnalysisContext, question: AnsweredQuestion) {
  const { counts, tallyOf } = context;
  const tally = tallyOf(question);
  const most = markedCount(context, question) * question.score;
  return {
    submitted: counts.submitted,
    right_count: tally.right,
    part_count: tally.part,
    wrong_count: tally.wrong,
    waiting_count: tally.waiting,
    un_answer_count: counts.submitted - tally.answered,
    average_right_rate: fractionOf(tally.score, most),
    average_right_percent: wholePercent(tally.score, most),
  };
}

/** Sums up the scores of graded reports, for the discrimination index. */
async function totalSums(db: Database, scope: Scope) {
  const row = await reportsOf(db, scope)
    .where('report.status', '=', reportStatus.graded)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(report.user_score), 0)`.as('total'),
      // Cast, because the square of a score exceeds PostgreSQL's 32-bit integer.
      sql<number>`coalesce(sum(cast(report.user_score as bigint) * report.user_score), 0)`.as('totalSquares'),
    ])
    .executeTakeFirstOrThrow();
  return row;
}

/**
 * Lists questions with their statistics. This and the functions below refuse with 404 (the actor does not see the
 * homework or the class) and 409 (the homework is recalled).
 */
export async function questionAnalysisRows(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId: number | undefined },
  order: AnalysisOrder,
): Promise<QuestionAnalysisRow[] | Refusal> {
  const found = await analysed(db, actor, request);
  if (isRefusal(found)) return found;
  const { scope, counts, questions, tallyOf } = found;
  const options = await optionTallies(db, scope, questions);
  const totals = await totalSums(db, scope);
  const rows = questions.map((question): QuestionAnalysisRow => {
    const tally = tallyOf(question);
    const chosen = options.get(question.id);
    const sums = {
      ...totals,
      item: tally.gradedScore,
      itemSquares: tally.gradedSquares,
      itemByTotal: tally.gradedByTotal,
    };
    return {
      _id: question.id,
      number: question.number,
      ...renderStem(question.row),
      ques_type: question.type,
      parent_id: question.material?.id ?? 0,
      parent_ques_item: materialStem(question.material),
      ...figuresOf(found, question),
      graded: counts.graded,
      total: tally.answered,
      ques_score: pointsOf(scope.mode, question.score),
      average_score: averagePoints(scope.mode, tally.score, markedCount(found, question)),
      fallibility_option: mostErrorProne(question, chosen),
      facility: facilityIndex(sums, question.score),
      discrimination: discriminationIndex(sums),
      options: question.options.map((option) => {
        const count = chosen?.get(option.id) ?? 0;
        return {
          id: option.id,
          label: optionLabel(question.type, option),
          content: renderMath(option.content),
          is_right: option.is_right,
          count,
          rate: wholePercent(count, counts.submitted),
        };
      }),
    };
  });
  return sortRows(rows, order);
}

/** Sorts rows by a column, descending by default. Equal rows keep the order of the paper. */
function sortRows(rows: QuestionAnalysisRow[], { sort_field, sort }: AnalysisOrder): QuestionAnalysisRow[] {
  if (!sort_field) return rows;
  const sign = sort === 'asc' ? 1 : -1;
  if (sort_field === 'number') return sign === 1 ? rows : rows.reverse();
  return rows.sort((a, b) => sign * (a[sort_field] - b[sort_field]));
}

// ---- answer details ----------------------------------------------------------------------------

export async function answerDetailRows(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId: number | undefined },
): Promise<AnswerDetail[] | Refusal> {
  const found = await analysed(db, actor, request);
  if (isRefusal(found)) return found;
  const chosen = await optionTallies(db, found.scope, found.questions);
  return found.questions.map((question) => ({
    ...previewItem(question, found.scope.mode),
    parent_id: question.material?.id ?? 0,
    parent_ques_item: materialStem(question.material),
    ...figuresOf(found, question),
    answered_count: found.tallyOf(question).answered,
    option_counts: question.options.map(({ id }) => ({ id, count: chosen.get(question.id)?.get(id) ?? 0 })),
  }));
}

/**
 * Returns the number of a question and the students of one answer group, by class. Students who have not submitted are
 * in no group.
 */
export async function answerStudentRows(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId: number | undefined; questionId: number },
  group: AnswerGroup,
): Promise<{ number: string; students: AnswerStudent[] } | Refusal> {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const questions = answeredQuestions(await questionsOf(db, scope.homework.id));
  const question = questions.find(({ id }) => id === request.questionId);
  if (!question) return missing(missingQuestion);
  const isBlank = sql<boolean>`coalesce(answer.status, ${sql.lit(answerStatus.unanswered)}) = ${sql.lit(answerStatus.unanswered)}`;
  const students = await submittedReports(db, scope)
    .innerJoin('student', 'student.id', 'report.student_id')
    .innerJoin('class', 'class.id', 'report.class_id')
    .leftJoin('answer', (join) =>
      join.onRef('answer.report_id', '=', 'report.id').on('answer.question_id', '=', request.questionId),
    )
    .where(
      group === 'answered'
        ? sql<boolean>`not (${isBlank})`
        : group === 'unanswered'
          ? isBlank
          : sql<boolean>`answer.status = ${sql.lit(statusOf[group])}`,
    )
    .select(['report.id as report_id', 'report.student_id', 'student.nickname', 'student.mobile'])
    .select('class.name as class_name')
    .orderBy('report.class_id')
    .orderBy('report.student_id')
    .execute();
  return { number: question.number, students };
}

const statusOf = {
  right: answerStatus.right,
  part: answerStatus.reviewed,
  wrong: answerStatus.wrong,
  waiting: answerStatus.waiting,
} as const;

// ---- statistics by type and by question --------------------------------------------------------

/** Lists the question types that occur, by code. The parts of material questions count under their own type. */
export async function typeStatisticsRows(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId: number | undefined },
): Promise<TypeStatistics[] | Refusal> {
  const found = await analysed(db, actor, request);
  if (isRefusal(found)) return found;
  const { scope, counts, questions, tallyOf } = found;
  const types = [...new Set(questions.map(({ type }) => type))].sort((a, b) => a - b);
  return types.map((type) => {
    const ofType = questions.filter((question) => question.type === type);
    const sum = (figure: (question: AnsweredQuestion) => number) =>
      ofType.reduce((total, question) => total + figure(question), 0);
    const right = sum((question) => tallyOf(question).right);
    const score = sum((question) => tallyOf(question).score);
    const marked = (question: AnsweredQuestion) => markedCount(found, question);
    return {
      type,
      name: questionTypeNames[type],
      average_right_answer: isSubjective(type) ? null : averageCount(right, counts.submitted),
      total: ofType.length,
      waiting_count: sum((question) => tallyOf(question).waiting),
      average_score: sumOfAverages(
        scope.mode,
        ofType.map((question) => [tallyOf(question).score, marked(question)]),
      ),
      score: pointsOf(
        scope.mode,
        sum((question) => question.score),
      ),
      correct_rate: isSubjective(type) ? null : wholePercent(right, ofType.length * counts.submitted),
      score_rate: wholePercent(
        score,
        sum((question) => question.score * marked(question)),
      ),
      submitted: counts.submitted,
    };
  });
}

export async function questionStatisticsRows(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId: number | undefined },
): Promise<QuestionStatistics[] | Refusal> {
  const found = await analysed(db, actor, request);
  if (isRefusal(found)) return found;
  const { scope, counts, questions, tallyOf } = found;
  return questions.map((question) => {
    const tally = tallyOf(question);
    const subjective = isSubjective(question.type);
    return {
      id: question.id,
      number: question.number,
      ques_type: question.type,
      ...renderStem(question.row),
      total_right: subjective ? null : tally.right,
      total: counts.submitted,
      waiting_count: tally.waiting,
      average_score: averagePoints(scope.mode, tally.score, markedCount(found, question)),
      ques_score: pointsOf(scope.mode, question.score),
      correct_rate: subjective ? null : wholePercent(tally.right, counts.submitted),
      score_rate: wholePercent(tally.score, markedCount(found, question) * question.score),
    };
  });
}
