/**
 * Prepared statements: built and compiled once, then given their values. Kysely makes objects of each word of a statement
 * and then its text, every time; for a statement that an index answers that takes as long as the answer. An example:
 *
 * `const seenClass = prepared((db, { id, classId }: Placeholders<{ id: number; classId: number }>, identity: Identity) =>
 *   visibleClasses(db, { id, identity }).select('class.id').where('class.id', '=', classId))`
 *
 * `const [seen] = await seenClass(db, { id: actor.id, classId }, actor.identity)`
 */
import { type Compilable, type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import type { Database } from './engine.ts';
import { keepPrepared } from './pg-prepared.ts';

/**
 * Stands in a statement for a value that comes with each execution. It is no value itself: what the text of a statement
 * depends on is a variant.
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

/** A value of a query, or what stands for it in a prepared statement. */
export type Operand<T> = T | Expression<T>;

/** The placeholders of values. One that may be undefined is undefined in the statements of executions without its value. */
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

/** Words of unions: a `string` would make a statement of each. */
type Variant<V> = string extends V ? never : V extends object ? { [Name in keyof V]: Variant<V[Name]> } : V;

/** Texts that one statement may have; what goes beyond is built each time. */
const maxTexts = 200;

/**
 * The rows of a statement that is built once for each variant, and for each choice of the values that may be undefined.
 * PostgreSQL keeps its plan: a statement over a table that is empty for weeks and then fills within minutes is built each
 * time instead.
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
