import type { SelectQueryBuilder } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { idsTable } from '#server/platform/db/json-rows.ts';
import type { Operand } from '#server/platform/db/prepared.ts';

/**
 * Selects the first few reports of each homework in one statement. `listed`: homework ids as JSON. `first` is a query
 * for report ids of the homework `given.id`, with its own limit. The caller joins further tables and sorts.
 */
export function firstReports<Known, From extends keyof Known>(
  db: Database,
  listed: Operand<string>,
  first: SelectQueryBuilder<Known, From, { id: number }>,
) {
  return isSqlite(db)
    ? db.selectFrom(idsTable(db, listed)).innerJoin('report', (join) => join.on('report.id', 'in', first))
    : db
        .selectFrom(idsTable(db, listed))
        .innerJoinLateral(first.as('first'), (join) => join.onTrue())
        .innerJoin('report', 'report.id', 'first.id');
}
