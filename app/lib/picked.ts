/** Every row that is picked, in the order of picking. Of the posted form or of the address. */
export function pickedIds(fields: { get(name: string): unknown; getAll(name: string): unknown[] }): number[] {
  if (fields.get('clear')) return [];
  const all = [...fields.getAll('picked').flatMap((list) => String(list).split(',')), ...fields.getAll('pick')];
  return [...new Set(all.map(Number))].filter((id) => Number.isInteger(id) && id > 0);
}
