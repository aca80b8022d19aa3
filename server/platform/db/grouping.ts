/** The value of a key, which is made where there is none. */
export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Rows by what they have in common, in their order. */
export function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) getOrAdd(groups, keyOf(row), () => []).push(row);
  return groups;
}

/** The same with a value of each row. */
export const groupedValues = <Row, Key, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  value: (row: Row) => Value,
): Map<Key, Value[]> => new Map([...grouped(rows, keyOf)].map(([key, its]) => [key, its.map(value)]));
