/** The calendar's dialogs stand over the person's own and over that of a class. */
import { classCalendar, classDetail } from '../classes/screens.ts';
import { teachDays } from './screens.ts';

/** What a dialog's address says of the calendar behind it; `classId` is undefined for the person's own. */
export function calendarScope(url: URL) {
  if (!classDetail.covers(url.pathname)) return { filter: teachDays.at(url).filter };
  const { filter, place } = classCalendar.at(url);
  return { filter, classId: place.id };
}
