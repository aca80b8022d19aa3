import { SearchText } from '#server/platform/calls/fields.ts';
import { screen } from '../lib/screen.ts';
import { OptionalId } from '../lib/search.ts';

/** Form for the roll-over to the next term or year. */
export const importRollOver = screen('AdminRollOver', '/admin/import/roll-over', 'rollover', {
  school: OptionalId,
  grade: OptionalId,
  name: SearchText,
});
