/**
 * Prepared statements: Kysely builds and compiles the SQL once, then it runs with new values (placeholders). Compiling
 * a lookup each time takes as long as running it. PostgreSQL also caches its plan (pg-prepared.ts: plan cache). An
 * example:
 *
 * `const seenClass = prepared((db, { id, classId }: Placeholders<{ id: number; classId: number }>, identity: Identity)
 * =>
 *   visibleClasses(db, { id, identity }).select('class.id').where('class.id', '=', classId))`
 *
 * `const [seen] = await seenClass(db, { id: actor.id, classId }, actor.identity)`
 */
import { type Compilable, type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import type { Database } from './engine.ts';
import { keepPrepared } from './pg-prepared.ts';

/**
 * A parameter of a prepared statement; each execution gives its value. It must not decide the text of the SQL: use a
 * variant for that.
 */
export class Placeholder<T> implements Expression<T> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

/** A value, or a placeholder for it. */
export type Operand<T> = T | Expression<T>;

/**
 * A placeholder for each value. The placeholder of an optional value is undefined if the execution does not give it.
 */
export type Placeholders<Values> = {
  readonly [Name in keyof Values]: undefined extends Values[Name]
    ? Placeholder<Exclude<Values[Name], undefined>> | undefined
    : Placeholder<Values[Name]>;
};

type ValuesOf<At> = {
  readonly [Name in keyof At]:
    | (At[Name] extends Placeholder<infer T> | undefined ? T : never)
    | (undefined extends At[Name] ? undefined : never);
};

/** Variants must be unions of literals, because any `string` would compile a statement for each value. */
type Variant<V> = string extends V ? never : V extends object ? { [Name in keyof V]: Variant<V[Name]> } : V;

/** Maximum number of SQL texts cached per statement; further ones are built at each execution. */
const maxTexts = 200;

/**
 * Returns a function that runs the statement. It is compiled once per variant and per set of present optional values.
 * Do not use it on a table that fills within minutes after being empty: PostgreSQL keeps the plan made for the empty
 * table.
 */
export function prepared<
  At extends Readonly<Record<string, Placeholder<unknown> | undefined>>,
  Row,
  V extends object | string | undefined = undefined,
>(build: (db: Database, at: At, variant: Variant<V>) => Compilable<Row>) {
  const built = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  const queryOf = (db: Database, values: ValuesOf<At>, variant: V): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const known = built.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    built.set(adapter, known);
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    const key = `${names} ${typeof variant === 'object' ? Object.values(variant) : variant}`;
    let query = known.get(key);
    if (!query) {
      const at = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      query = build(db, at as unknown as At, variant as Variant<V>).compile();
      if (known.size < maxTexts) {
        known.set(key, query);
        keepPrepared(query.sql);
      }
    }
    return query;
  };
  return async (db: Database, values: ValuesOf<At>, ...[variant]: V extends undefined ? [] : [variant: V]) => {
    const query = queryOf(db, values, variant as V);
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.name] : one));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
