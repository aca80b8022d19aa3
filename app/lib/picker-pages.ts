/**
 * State of a dialog in which rows are picked. All of it is in the address. Checkboxes and page links are in one GET
 * form, so that ticks of other pages are kept without client JS.
 */
import { SearchIds } from '#server/platform/calls/fields.ts';
import { CheckedParam, OptionalId } from './search.ts';

/**
 * `pick`: ids ticked on the shown page. `picked`: ids picked on other pages. `go`: the button that opens the page whose
 * number was typed as `jump`.
 */
export const pickerParams = {
  jump: OptionalId,
  go: CheckedParam,
  picked: SearchIds,
  pick: SearchIds,
  clear: CheckedParam,
};

interface PickerView {
  place: { go: boolean; jump?: number | undefined };
  filter: { page: number };
}

export const pickerPage = ({ place: { go, jump }, filter: { page } }: PickerView) => (go ? (jump ?? 1) : page);
