/**
 * Reads the ids of picked rows from a form or address, in the order of picking. The field `order` has the ids that were
 * picked earlier, because checkboxes alone would give the order of the list.
 */
export function pickedIds(fields: { get(name: string): unknown; getAll(name: string): unknown[] }): number[] {
  if (fields.get('clear')) return [];
  const all = [...fields.getAll('picked').flatMap((list) => String(list).split(',')), ...fields.getAll('pick')];
  const picked = new Set(all.map(Number).filter((id) => Number.isInteger(id) && id > 0));
  const before = String(fields.get('order') ?? '')
    .split(',')
    .map(Number)
    .filter((id) => picked.has(id));
  return [...new Set([...before, ...picked])];
}
