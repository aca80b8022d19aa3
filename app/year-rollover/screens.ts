/** Of administrators: from one term or year to the next. */
import { SearchText } from '#server/platform/calls/fields.ts';
import { screen } from '../lib/screen.ts';
import { MaybeId } from '../lib/search.ts';

/** From one term or year to the next. */
export const importRollOver = screen('AdminRollOver', '/admin/import/roll-over', 'rollover', {
  school: MaybeId,
  grade: MaybeId,
  name: SearchText,
});
