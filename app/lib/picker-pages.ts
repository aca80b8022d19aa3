/**
 * The state of a dialog that picks rows of a list, which is all in its address. Picking and paging are one GET form, so
 * that ticks of other pages are never lost, without client JS.
 */
import { SearchIds } from '#server/platform/calls/fields.ts';
import { MaybeId, Ticked } from './search.ts';

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

interface Paged {
  place: { go: boolean; jump?: number | undefined };
  filter: { page: number };
}

/** The page that is asked for. */
export const pickerPage = ({ place: { go, jump }, filter: { page } }: Paged) => (go ? (jump ?? 1) : page);
