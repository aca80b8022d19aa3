import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Value } from './source-record.ts';

/** Rows per query. A query takes a few milliseconds. */
export const rowsPerQuery = 1000;

export type Fields = Record<string, Value>;

export interface Listing {
  ids(): Promise<ReadonlySet<number>>;
  /**
   * `key`: id as in `external_id`. `own`: id in exports if no source has named the record; undefined for the usual
   * form.
   */
  records(): AsyncGenerator<{ key: number | string; own: string | undefined; fields: Fields }>;
}

/** Reads all records of a kind in pages, in order of id. `fieldsOf` can leave records out. */
export function listRecords<Row extends { id: number }, Its extends Fields>(
  id: string,
  query: () => { execute(): Promise<Row[]> },
  fieldsOf: (row: Row) => Promise<Its | undefined>,
  keyOf: (row: Row, fields: Its) => readonly [key: number | string, own?: string] = (row) => [row.id],
): Listing {
  async function* rows(): AsyncGenerator<Row> {
    for (let after = 0; ; ) {
      const page = (query() as SelectQueryBuilder<Tables, never, Row>)
        .where(sql<SqlBool>`${sql.ref(id)} > ${after}`)
        .orderBy(sql.ref(id))
        .limit(rowsPerQuery);
      const found = await page.execute();
      yield* found;
      if (found.length < rowsPerQuery) return;
      after = found.at(-1)?.id ?? after;
    }
  }
  return {
    async ids() {
      const ids = new Set<number>();
      for await (const row of rows()) ids.add(row.id);
      return ids;
    },
    async *records() {
      for await (const row of rows()) {
        const fields = await fieldsOf(row);
        if (!fields) continue;
        const [key, own] = keyOf(row, fields);
        yield { key, own, fields };
      }
    },
  };
}
