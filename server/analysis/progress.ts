/** One student's homework against those before it: what was earned, and the place among the others. */
import { reportStatus } from '#server/homework/rules.ts';
import { wholePercent } from '#server/homework/scoring.ts';
import { homeworkOf } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy } from '#server/school/reach.ts';
import { seenReport } from './scope.ts';
import type { ProgressPoint } from './transcript.contract.ts';

/** Homework before the one that is looked at. */
const compared = 5;

export async function progressOf(
  db: Database,
  actor: Actor,
  reportId: number,
): Promise<{ current: ProgressPoint | null; earlier: ProgressPoint[] } | Refusal> {
  const seen = await seenReport(db, actor, reportId);
  if (isRefusal(seen)) return seen;
  const { report, scope } = seen;
  const { publish_time } = scope.homework;
  const isAssistant = actor.identity === 'assist';
  const rows = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.student_id', '=', report.student_id)
    .where('report.status', '=', reportStatus.graded)
    .where('homework.status', '=', 1)
    .where('homework.id', 'in', homeworkOf(db, actor))
    .$if(isAssistant, (reports) => reports.where('report.class_id', 'in', classesAssistedBy(db, actor)))
    .where((eb) =>
      eb.or([
        eb('homework.publish_time', '<', publish_time),
        eb.and([eb('homework.publish_time', '=', publish_time), eb('homework.id', '<=', scope.homework.id)]),
      ]),
    )
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
        eb
          .selectFrom('homework_question')
          .whereRef('homework_question.homework_id', '=', 'report.homework_id')
          // A material question is worth its parts.
          .where('homework_question.parent_id', 'is', null)
          .select((sum) => sum.fn.sum<number>('homework_question.score').as('full'))
          .as('full'),
      ];
    })
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(compared + 1)
    .execute();
  const points = rows.map(
    ({ user_score, better, of, full, ...row }): ProgressPoint => ({
      ...row,
      rate: wholePercent(user_score, full ?? 0),
      rank: (better ?? 0) + 1,
      of: of ?? 0,
    }),
  );
  const earlier = points.filter(({ report_id }) => report_id !== reportId).slice(0, compared);
  return { current: points.find(({ report_id }) => report_id === reportId) ?? null, earlier: earlier.reverse() };
}
