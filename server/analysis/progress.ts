/** Compares students' homework with their earlier homework: scoring rate and rank. */

import { type RawBuilder, sql } from 'kysely';
import { reportStatus } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import { visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import { logView } from '#server/school/view-log.ts';
import { compareWithEarlier } from './figures.ts';
import { comparedHomeworkCount } from './rules.ts';
import { findVisibleReport, type Scope } from './scope.ts';
import type { ProgressPoint, StudentProgress } from './transcript.contract.ts';

/**
 * Selects the graded reports of these students that the actor sees: of a homework, and of homework published before it.
 */
const reportsUntil = (
  db: Database,
  actor: Viewer,
  { id, publish_time }: Pick<Scope['homework'], 'id' | 'publish_time'>,
  studentIds: readonly number[] | RawBuilder<number>,
) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.student_id', 'in', studentIds)
    .where('report.status', '=', reportStatus.graded)
    .where('homework.status', '=', 1)
    // The unary + keeps SQLite from using this index: it would start with all visible homework instead of the students.
    .where(sql<number>`+homework.id`, 'in', visibleHomeworkIds(db, actor))
    .$if(actor.identity === 'assist', (reports) => reports.where('report.class_id', 'in', classesAssistedBy(db, actor)))
    .where((eb) =>
      eb.or([
        eb('homework.publish_time', '<', publish_time),
        eb.and([eb('homework.publish_time', '=', publish_time), eb('homework.id', '<=', id)]),
      ]),
    );

/** Selects the full score of a homework. A material question counts with the sum of its parts. */
const fullScore = (db: Database) =>
  db
    .selectFrom('homework_question')
    .where('homework_question.parent_id', 'is', null)
    .select((sum) => sum.fn.sum<number>('homework_question.score').as('full'));

/**
 * Compares a report with the student's earlier homework. 404: the actor does not see the report. 409: the homework is
 * recalled.
 */
export async function progressOf(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  reportId: number,
): Promise<StudentProgress | Refusal> {
  const seen = await findVisibleReport(db, actor, reportId);
  if (isRefusal(seen)) return seen;
  const { report, scope } = seen;
  await logView({ db, actor, now }, report.student_id);
  const isAssistant = actor.identity === 'assist';
  const rows = await reportsUntil(db, actor, scope.homework, [report.student_id])
    .select(['report.id as report_id', 'report.homework_id', 'report.user_score'])
    .select(['homework.name as homework_name', 'homework.publish_time'])
    .select((eb) => {
      const others = eb
        .selectFrom('report as other')
        .whereRef('other.homework_id', '=', 'report.homework_id')
        .where('other.status', '=', reportStatus.graded)
        .$if(isAssistant, (reports) => reports.where('other.class_id', 'in', classesAssistedBy(db, actor)))
        .select((count) => count.fn.countAll<number>().as('n'));
      return [
        others.as('of'),
        others.whereRef('other.user_score', '>', 'report.user_score').as('better'),
        fullScore(db).where('homework_question.homework_id', '=', sql.ref<number>('report.homework_id')).as('full'),
      ];
    })
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(comparedHomeworkCount + 1)
    .execute();
  const points = rows.map(
    ({ user_score, better, of, full, ...row }): ProgressPoint => ({
      ...row,
      rate: wholePercent(user_score, full ?? 0),
      rank: (better ?? 0) + 1,
      of: of ?? 0,
    }),
  );
  const current = points.find(({ report_id }) => report_id === reportId) ?? null;
  const earlier = points.filter(({ report_id }) => report_id !== reportId).slice(0, comparedHomeworkCount);
  const change = compareWithEarlier(
    current?.rate ?? 0,
    earlier.map(({ rate }) => rate),
  );
  return { current, earlier: earlier.reverse(), ...change, change: current && change.change };
}

type EarlierValues = Record<'id' | 'publish_time' | 'actorId', number> & { students: string };

const earlierOf = (db: Database, { id, publish_time, actorId, students }: EarlierValues, identity: Identity) => {
  const placed = reportsUntil(db, { id: actorId, identity }, { id, publish_time }, inJsonIds(db, students))
    .where('homework.id', '!=', id)
    .select(['report.student_id', 'report.homework_id', 'report.user_score'])
    .select(
      sql<number>`row_number() over (
        partition by report.student_id order by homework.publish_time desc, homework.id desc
      )`.as('place'),
    );
  return db
    .selectFrom(placed.as('placed'))
    .where('placed.place', '<=', comparedHomeworkCount)
    .select(['placed.student_id', 'placed.user_score'])
    .select(fullScore(db).where('homework_question.homework_id', '=', sql.ref<number>('placed.homework_id')).as('full'))
    .execute();
};

/** Returns the rates of each student in the homework before this one, chosen by the same rule as in `progressOf`. */
export async function ratesBefore(
  db: Database,
  actor: Actor,
  homework: Scope['homework'],
  studentIds: number[],
): Promise<Map<number, number[]>> {
  const rates = new Map<number, number[]>();
  if (studentIds.length === 0) return rates;
  const { id, publish_time } = homework;
  const values = { id, publish_time, actorId: actor.id, students: JSON.stringify(studentIds) };
  const rows = await earlierOf(db, values, actor.identity);
  for (const { student_id, user_score, full } of rows) {
    rates.set(student_id, [...(rates.get(student_id) ?? []), wholePercent(user_score, full ?? 0)]);
  }
  return rates;
}
