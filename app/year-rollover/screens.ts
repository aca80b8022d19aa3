import { SearchText } from '#server/platform/calls/fields.ts';
import { screen } from '../lib/screen.ts';
import { MaybeId } from '../lib/search.ts';

/** Roll-over to the next term or year. */
export const importRollOver = screen('AdminRollOver', '/admin/import/roll-over', 'rollover', {
  school: MaybeId,
  grade: MaybeId,
  name: SearchText,
});
