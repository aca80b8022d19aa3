/**
 * State of a picker dialog, all of it in the address. Picking and paging share one GET form, so that ticks of other
 * pages are never lost without client JS.
 */
import { SearchIds } from '#server/platform/calls/fields.ts';
import { CheckedParam, OptionalId } from './search.ts';

/**
 * `pick`: ids ticked on the shown page; `picked`: ids picked on other pages. `go` leads to the page number typed as
 * `jump`.
 */
export const pickerParams = {
  jump: OptionalId,
  go: CheckedParam,
  picked: SearchIds,
  pick: SearchIds,
  clear: CheckedParam,
};

interface Paged {
  place: { go: boolean; jump?: number | undefined };
  filter: { page: number };
}

export const pickerPage = ({ place: { go, jump }, filter: { page } }: Paged) => (go ? (jump ?? 1) : page);
