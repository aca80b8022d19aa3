/** Rows by what they have in common, in their order. */
export function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const own = groups.get(keyOf(row));
    if (own) own.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** The same with a value of each row. */
export const groupedValues = <Row, Key, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  value: (row: Row) => Value,
): Map<Key, Value[]> => new Map([...grouped(rows, keyOf)].map(([key, its]) => [key, its.map(value)]));
