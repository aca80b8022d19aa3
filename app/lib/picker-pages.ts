/**
 * The state of a dialog that picks rows of a list, which is all in its address. Picking and paging are one GET form, so
 * that ticks of other pages are never lost, without client JS.
 */
import { SearchIds } from '#server/platform/calls/fields.ts';
import { countFrom, MaybeId, Ticked } from './search.ts';

/**
 * `pick`: a tick of the page that was shown; `picked`: what was picked on other pages. `go` leads to the page that was
 * typed as `jump`.
 */
export const picks = {
  jump: MaybeId,
  go: Ticked,
  picked: SearchIds,
  pick: SearchIds,
  clear: Ticked,
};

/** With pages of its own, where the call's filter does not say them. */
export const pickerPages = { page: countFrom(1), limit: countFrom(10), ...picks };

/** The page that is asked for. */
export const pickerPage = ({ go, jump, page }: { go: boolean; jump?: number | undefined; page: number }) =>
  go ? (jump ?? 1) : page;

/** Every row that is picked, in the order of picking. Of the posted form or of the address. */
export function pickedIds(fields: { get(name: string): unknown; getAll(name: string): unknown[] }): number[] {
  if (fields.get('clear')) return [];
  const all = [...fields.getAll('picked').flatMap((list) => String(list).split(',')), ...fields.getAll('pick')];
  return [...new Set(all.map(Number))].filter((id) => Number.isInteger(id) && id > 0);
}
