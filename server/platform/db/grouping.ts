/** Returns the value of a key, and adds it first if it is missing. */
export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Groups rows by a key; keeps their order. */
export function groupRows<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) getOrAdd(groups, keyOf(row), () => []).push(row);
  return groups;
}

/** Groups one value of each row by a key; keeps the order of the rows. */
export const groupValues = <Row, Key, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  value: (row: Row) => Value,
): Map<Key, Value[]> => new Map([...groupRows(rows, keyOf)].map(([key, its]) => [key, its.map(value)]));
