/** Of administrators: the timetable of a term, and what an import makes of a week. */

import { missingImport } from '#server/import/rules.ts';
import { SearchDay, SearchText } from '#server/platform/calls/fields.ts';
import { screen } from '../lib/screen.ts';
import { MaybeId, ScreenId } from '../lib/search.ts';

/** Rules that become periods and lessons; `from`: a timetable that is taken up again; `term`: whose days it has. */
export const importTimetable = screen('AdminTimetable', '/admin/import/timetable', 'timetable', {
  school: MaybeId,
  from: MaybeId,
  term: MaybeId,
  name: SearchText,
});

/** What an import makes of a week. */
export const importWeek = screen(
  'AdminImportWeek',
  '/admin/import/week',
  'week',
  { id: ScreenId, day: SearchDay },
  { missing: missingImport },
);
