/** Tells whose calendar a dialog is open over: the user's own or a class's. */
import { classCalendar, classDetail } from '../classes/screens.ts';
import { teachDays } from './screens.ts';

/** Reads the address of the calendar below a dialog. `classId` is undefined for the user's own calendar. */
export function calendarScope(url: URL) {
  if (!classDetail.covers(url.pathname)) return { filter: teachDays.at(url).filter };
  const { filter, place } = classCalendar.at(url);
  return { filter, classId: place.id };
}
