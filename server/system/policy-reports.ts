/** Stored content security policy reports by kind, for administrators. */
import type { PolicyReport } from '#server/platform/calls/policy-reports.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { SystemState } from './contract.ts';

/** Maximum kinds of reports that are listed. */
const shown = 10;

export async function storePolicyReport(db: Database, report: PolicyReport, now: number): Promise<void> {
  await db
    .insertInto('policy_report')
    .values({ ...report, count: 1, first_at: now, last_at: now })
    .onConflict((known) =>
      known.columns(['directive', 'blocked', 'page']).doUpdateSet((eb) => ({
        source: report.source,
        count: eb('policy_report.count', '+', 1),
        last_at: now,
      })),
    )
    .execute();
}

/** Returns the latest reports, and the number of all reports. */
export async function policyReports(db: Database): Promise<SystemState['policy_reports']> {
  const { sum } = await db
    .selectFrom('policy_report')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('sum'))
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('policy_report')
    .select(['directive', 'blocked', 'page', 'source', 'count', 'last_at'])
    .orderBy('last_at', 'desc')
    .orderBy('count', 'desc')
    .limit(shown)
    .execute();
  return { count: Number(sum), last };
}

/** Purges reports of kinds that were last seen before `before` (unix seconds). */
export async function purgePolicyReports(db: Database, before: number): Promise<void> {
  await db.deleteFrom('policy_report').where('last_at', '<', before).execute();
}
