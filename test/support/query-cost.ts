/** Counts queries and rows: a measure that is the same on every machine. */
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
  rows: number;
}

/** Counts the queries of a database, and the rows that they return. */
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

  /**
   * Runs `work` once to fill caches, then twice, and returns the cheaper cost: on a slow machine a cache may expire
   * during one run.
   */
  async costOf(work: () => Promise<unknown>): Promise<QueryCost> {
    await work();
    const counted: QueryCost[] = [];
    for (let run = 0; run < 2; run += 1) {
      this.cost = { queries: 0, rows: 0 };
      await work();
      counted.push({ ...this.cost });
    }
    return counted.reduce((one, other) => (other.queries < one.queries ? other : one));
  }
}
