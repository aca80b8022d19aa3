/**
 * Statements that pages ask again and again, built once. Kysely makes objects of each of a statement's words and the text
 * of these, every time: for one that is answered by an index that takes as long as the answer.
 */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './engine.ts';
import { keepPrepared } from './pg-prepared.ts';

type Values = Readonly<Record<string, string | number | null>>;
type Shape = string | Readonly<Record<string, string | boolean>> | undefined;

/** Where a value stands in a statement that is built. */
export class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * The rows of a statement whose text is the same whatever its values are: `build` is given places for these, to stand in
 * conditions and limits, and must ask nothing of them. What the text does depend on is its `shape`. PostgreSQL keeps its
 * plan: one that is asked of a table which is empty for weeks and then fills within minutes is built each time instead.
 */
export function prepared<V extends Values, Row, S extends Shape = undefined>(
  build: (db: Database, values: V, shape: S) => Compilable<Row>,
) {
  const built = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  const inShape = (db: Database, values: V, shape: S): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const known = built.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    built.set(adapter, known);
    const key = typeof shape === 'string' ? shape : JSON.stringify(shape ?? '');
    let query = known.get(key);
    if (!query) {
      const places = Object.fromEntries(Object.keys(values).map((name) => [name, new Place(name)]));
      query = build(db, places as unknown as V, shape).compile();
      known.set(key, query);
      keepPrepared(query.sql);
    }
    return query;
  };
  return async (db: Database, values: V, ...[shape]: S extends undefined ? [] : [shape: S]): Promise<Row[]> => {
    const query = inShape(db, values, shape as S);
    const parameters = query.parameters.map((one) => (one instanceof Place ? values[one.name] : one));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
