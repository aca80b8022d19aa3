import { sql } from 'kysely';
import { pointsOf, rateMode, reportStatus, type ScoreMode, unitsPerPoint, wholeTenths } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { averagePoints } from './figures.ts';
import { answeredQuestions, questionsOf, totalsOf } from './questions.ts';
import { boundsText } from './rules.ts';
import { reportCounts, reportScope, reportsOf, type Scope } from './scope.ts';
import { scoreTally } from './scores.ts';
import type { DistributionStudent, DistributionSummary, GradeBand } from './transcript.contract.ts';

type ScopeRequest = Parameters<typeof reportScope>[2];

/** Ids of the score bands, which are their upper bounds in percent. The id 0 means students without a submission. */
export const bandIds = [100, 90, 80, 70, 60, 0] as const;
export type BandId = (typeof bandIds)[number];

/** Returns the band of a stored score, compared exactly: 18 of 20 is 90 %, which belongs to the second band. */
export function bandOf(score: number, full: number): Exclude<BandId, 0> {
  if (score * 10 > full * 9) return 100;
  if (score * 10 > full * 8) return 90;
  if (score * 10 > full * 7) return 80;
  if (score * 10 > full * 6) return 70;
  return 60;
}

/** Bounds of a band in percent; `min` does not belong to the band, `max` does. */
const percentBounds = (id: BandId): { min: number; max: number } => ({ min: id > 60 ? id - 10 : 0, max: id });

/**
 * Converts percent to hundredths of a displayed unit: points, or percent in rated homework. Exact, because stored
 * scores are whole tenths and the percentages whole tens.
 */
const boundOf = (mode: ScoreMode, percent: number, full: number): number =>
  mode === rateMode ? percent * 100 : (percent * full) / unitsPerPoint(mode);

function bandBounds(id: BandId, mode: ScoreMode, full: number): { min: number; max: number } {
  const { min, max } = percentBounds(id);
  return { min: boundOf(mode, min, full), max: boundOf(mode, max, full) };
}

/** Formats the exact bounds of a band in points or percent: `14.85以上～16.5`. */
export function exactBandText(id: Exclude<BandId, 0>, mode: ScoreMode, full: number): string {
  const { min, max } = bandBounds(id, mode, full);
  return boundsText(id, min / 100, max / 100);
}

/**
 * Returns the distribution of scores. 404: the actor does not see the homework or the class. 409: the homework is
 * recalled.
 */
export async function distributionSummary(
  db: Database,
  actor: Actor,
  request: ScopeRequest,
): Promise<DistributionSummary | Refusal> {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { mode } = scope;
  const { all } = totalsOf(answeredQuestions(await questionsOf(db, scope.homework.id)));
  const counts = await reportCounts(db, scope);
  const tally = await scoreTally(db, scope);
  const sum = tally.reduce((total, { score, count }) => total + score * count, 0);
  const [highest, lowest] = [tally[0]?.score, tally.at(-1)?.score];
  const numbers = new Map<BandId, number>([[0, counts.expected - counts.submitted]]);
  for (const { score, count } of tally) {
    const band = bandOf(score, all.score);
    numbers.set(band, (numbers.get(band) ?? 0) + count);
  }
  return {
    correct_rate: wholePercent(sum, counts.graded * all.score),
    score: pointsOf(mode, all.score),
    average_score: counts.graded === 0 ? null : averagePoints(mode, sum, counts.graded),
    max_score: highest === undefined ? null : wholeTenths(mode, highest),
    min_score: lowest === undefined ? null : wholeTenths(mode, lowest),
    max_rate: highest === undefined ? null : wholePercent(highest, all.score),
    min_rate: lowest === undefined ? null : wholePercent(lowest, all.score),
    question_num: all.count,
    total: counts.expected,
    submitted: counts.submitted,
    graded: counts.graded,
    is_set_score: mode,
    grade_distribution: bandIds.map((id): GradeBand => {
      const { min, max } = percentBounds(id);
      const number = numbers.get(id) ?? 0;
      return {
        id,
        // Bounds for display, cut off to whole points. The students of the band are those within the exact bounds.
        min: Math.floor(boundOf(mode, min, all.score) / 100),
        max: Math.floor(boundOf(mode, max, all.score) / 100),
        exact_min: boundOf(mode, min, all.score) / 100,
        exact_max: boundOf(mode, max, all.score) / 100,
        number,
        correct_rate: wholePercent(number, counts.expected),
      };
    }),
  };
}

/**
 * Lists students by `band`, or by `min` and `max` in hundredths of points (of percent in rated homework). A reversed
 * range is swapped. Refuses like `distributionSummary`.
 */
export async function distributionStudentRows(
  db: Database,
  actor: Actor,
  request: ScopeRequest,
  { band, ...bounds }: { min?: number | undefined; max?: number | undefined; band?: BandId | undefined },
): Promise<DistributionStudent[] | Refusal> {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { mode } = scope;
  const full = totalsOf(answeredQuestions(await questionsOf(db, scope.homework.id))).all.score;
  const { min, max } = band === undefined ? exactBounds(bounds, mode, full) : bandBounds(band, mode, full);
  if (max === 0) return studentsOf(scope, full, notSubmitted(db, scope));
  // Compares whole numbers only: the stored score with hundredths of a point, or with hundredths of a percent of the
  // full score.
  const [units, unit] = mode === rateMode ? [10_000, full] : [100 / unitsPerPoint(mode), 1];
  let reports = reportsOf(db, scope).where('report.status', '=', reportStatus.graded);
  if (min > 0) reports = reports.where(sql<boolean>`report.user_score * ${sql.lit(units)} > ${sql.lit(min * unit)}`);
  if (max !== undefined)
    reports = reports.where(sql<boolean>`report.user_score * ${sql.lit(units)} <= ${sql.lit(max * unit)}`);
  return studentsOf(scope, full, reports);
}

type Reports = ReturnType<typeof reportsOf>;

const notSubmitted = (db: Database, scope: Scope): Reports =>
  reportsOf(db, scope).where('report.status', '=', reportStatus.notSubmitted);

/**
 * Returns the exact bounds of a band for whole numbers that are its displayed bounds. If no band or several bands have
 * these numbers, they are returned unchanged.
 */
export function exactBounds(
  { min = 0, max }: { min?: number | undefined; max?: number | undefined },
  mode: ScoreMode,
  full: number,
): { min: number; max: number | undefined } {
  const [low, high] = max !== undefined && min > max ? [max, min] : [min, max];
  const whole = (bound: number) => Math.floor(bound / 100) * 100;
  const bands = bandIds.map((id) => bandBounds(id, mode, full));
  const [band, ...others] = bands.filter(({ min, max }) => whole(min) === low && whole(max) === high);
  return band && others.length === 0 ? band : { min: low, max: high };
}

async function studentsOf(scope: Scope, full: number, reports: Reports): Promise<DistributionStudent[]> {
  const classNames = new Map(scope.classes.map(({ id, name }) => [id, name]));
  const rows = await reports
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['report.id', 'report.student_id', 'report.class_id', 'report.user_score'])
    .select(['student.nickname', 'student.mobile'])
    .orderBy('report.user_score', 'desc')
    .orderBy('report.student_id')
    .execute();
  return rows.map((row) => ({
    report_id: row.id,
    student_id: row.student_id,
    nickname: row.nickname,
    mobile: row.mobile,
    class_name: classNames.get(row.class_id) ?? '',
    correct_rate: wholePercent(row.user_score, full),
    score: wholeTenths(scope.mode, row.user_score),
  }));
}
