/**
 * The state of the question picker, which is all in the address: bank, filters, page, and what is picked. Picking and
 * paging are one GET form, so that ticks of other pages are never lost, without client JS.
 */

/** `pick`: a tick of the page that was shown; `picked`: what was picked on other pages, comma separated. */
const ownNames = [
  ...['bank', 'picked', 'pick', 'page', 'jump', 'limit', 'clear'],
  ...['ques_stem', 'ques_type', 'facility_value', 'remark', 'point_id'],
];

export type Bank = 'mine' | 'public';

/** Every question that is picked, in the order of picking. Of the posted form or of the address. */
export function pickedIds(fields: { get(name: string): unknown; getAll(name: string): unknown[] }): number[] {
  if (fields.get('clear')) return [];
  const all = [...fields.getAll('picked').flatMap((list) => String(list).split(',')), ...fields.getAll('pick')];
  return [...new Set(all.map(Number))].filter((id) => Number.isInteger(id) && id > 0);
}

/** A button comes after the field of the same name, and its value counts. */
export function lastValues(params: URLSearchParams): Record<string, string> {
  const values = Object.fromEntries(params);
  if (values.page === 'jump') values.page = values.jump ?? '';
  return values;
}

/** The search params of the screen behind the picker. */
export const paramsBehind = (params: URLSearchParams): [string, string][] =>
  [...params].filter(([name]) => !ownNames.includes(name));
