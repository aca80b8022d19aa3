/** Which of the queries of a piece of work read a table from one end to the other. */
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

/** Keeps every query that only reads: each once, however often it is asked. */
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

  /** Parts of a query come by, too; only what is asked as a whole has a result. */
  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const node = this.nodes.get(queryId);
    if (node) {
      const query = this.database.db.getExecutor().compileQuery(node, createQueryId());
      if (/^\s*(?:select|with)\b/i.test(query.sql)) this.kept.set(query.sql, query);
    }
    return result;
  }
}

/** The tables among `tables` that a query reads whole, where the engine could do without. */
export async function scannedBy(
  { db, engine }: OpenDatabase,
  { sql, parameters }: CompiledQuery,
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const prefix = engine === 'sqlite' ? 'explain query plan' : 'explain (format json)';
  // Of a statement that is built once the places of its values are known; any value does.
  const values = parameters.map((one) => (one instanceof Placeholder ? '1' : one));
  const explained = CompiledQuery.raw(`${prefix} ${sql}`, values);
  const { rows } = await db.executeQuery<Record<string, unknown>>(explained);
  if (engine === 'postgres') {
    const scans = JSON.stringify(rows).matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g);
    // What is in tables by years is told by the name of them all.
    return [...scans].map(([, name = '']) => name.replace(/_(?:\d{4}|rest)$/, '')).filter((name) => tables.has(name));
  }
  // SQLite names a table as the query does.
  const names = [...sql.matchAll(/"?\b(\w+)"? as "?(\w+)\b"?/g)].map(
    ([, name = '', alias = '']) => [alias, name] as const,
  );
  const tableOf = new Map(names);
  return (
    rows
      .map(({ detail }) => String(detail))
      // A full-text index says that it is asked for a match by the number of its plan.
      .filter((detail) => !/VIRTUAL TABLE INDEX \d+:M/.test(detail))
      .flatMap((detail) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
      .map((name) => (tables.has(name) ? name : (tableOf.get(name) ?? name)))
      .filter((name) => tables.has(name))
  );
}
