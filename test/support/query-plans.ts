/** Finds full table scans among the queries of a piece of work. */
import {
  CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { Placeholder } from '#server/platform/db/prepared.ts';

/** Collects each distinct read-only query once. */
export class QueryKeeper implements KyselyPlugin {
  readonly kept = new Map<string, CompiledQuery>();
  private readonly database: OpenDatabase;
  private readonly nodes = new WeakMap<object, RootOperationNode>();

  constructor(database: OpenDatabase) {
    this.database = database;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    this.nodes.set(queryId, node);
    return node;
  }

  /** Kysely also passes parts of a query; only a whole query has a result. */
  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const node = this.nodes.get(queryId);
    if (node) {
      const query = this.database.db.getExecutor().compileQuery(node, createQueryId());
      if (/^\s*(?:select|with)\b/i.test(query.sql)) this.kept.set(query.sql, query);
    }
    return result;
  }
}

/** Returns the `tables` that a query scans in full although an index could serve it. */
export async function scannedBy(
  { db, engine }: OpenDatabase,
  { sql, parameters }: CompiledQuery,
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const prefix = engine === 'sqlite' ? 'explain query plan' : 'explain (format json)';
  // Placeholders of a prepared statement take any value.
  const values = parameters.map((one) => (one instanceof Placeholder ? '1' : one));
  const explained = CompiledQuery.raw(`${prefix} ${sql}`, values);
  const { rows } = await db.executeQuery<Record<string, unknown>>(explained);
  if (engine === 'postgres') {
    const scans = JSON.stringify(rows).matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g);
    // Partitions count under the name of their table.
    return [...scans].map(([, name = '']) => name.replace(/_(?:\d{4}|rest)$/, '')).filter((name) => tables.has(name));
  }
  // In its plans, SQLite names a table by its alias in the query.
  const names = [...sql.matchAll(/"?\b(\w+)"? as "?(\w+)\b"?/g)].map(
    ([, name = '', alias = '']) => [alias, name] as const,
  );
  const tableOf = new Map(names);
  return (
    rows
      .map(({ detail }) => String(detail))
      // Leaves out searches of a full-text index: the plan number tells that the index serves the match.
      .filter((detail) => !/VIRTUAL TABLE INDEX \d+:M/.test(detail))
      .flatMap((detail) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
      .map((name) => (tables.has(name) ? name : (tableOf.get(name) ?? name)))
      .filter((name) => tables.has(name))
  );
}
