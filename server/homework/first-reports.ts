import type { SelectQueryBuilder } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { idsTable } from '#server/platform/db/json-rows.ts';
import type { Operand } from '#server/platform/db/prepared.ts';

/**
 * The first few reports of each homework that is listed as JSON, to be joined and ordered. `first` finds the ids of one
 * homework's, which it calls `given.id`, and stops at as many as are wanted; one statement for all, whatever their number.
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
