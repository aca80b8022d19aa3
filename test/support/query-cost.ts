/** What a piece of work costs the database, as numbers that are the same on every machine. */
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';

export interface QueryCost {
  queries: number;
  /** Rows that the database gave. */
  rows: number;
}

/** Counts every answer of a database. */
export class QueryCounter implements KyselyPlugin {
  private cost: QueryCost = { queries: 0, rows: 0 };

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    this.cost.queries += 1;
    this.cost.rows += result.rows.length;
    return result;
  }

  /** `work` is done twice, and the second time counted: what is kept from then on costs nothing. */
  async costOf(work: () => Promise<unknown>): Promise<QueryCost> {
    await work();
    this.cost = { queries: 0, rows: 0 };
    await work();
    return { ...this.cost };
  }
}
