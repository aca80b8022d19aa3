/** Screens for the timetable of a term and for the week of an import, for administrators. */

import { missingImport } from '#server/import/rules.ts';
import { SearchDay, SearchText } from '#server/platform/calls/fields.ts';
import { screen } from '../lib/screen.ts';
import { OptionalId, ScreenId } from '../lib/search.ts';

/** Rules that generate periods and lessons. `from` is the timetable to continue, `term` its term. */
export const importTimetable = screen('AdminTimetable', '/admin/import/timetable', 'timetable', {
  school: OptionalId,
  from: OptionalId,
  term: OptionalId,
  name: SearchText,
});

export const importWeek = screen(
  'AdminImportWeek',
  '/admin/import/week',
  'week',
  { id: ScreenId, day: SearchDay },
  { missing: missingImport },
);
