/** The class's teaching calendar (document 3, section 2, tab 6): the same as a person's. */
import { Calendar } from '../../calendar/calendar.tsx';
import type { loadCalendarTab } from './calendar.server.ts';
import { classAddress, classSearch, type TabViewProps } from './tab.ts';

export function CalendarTab({ data: { classId, calendar } }: TabViewProps<typeof loadCalendarTab>) {
  return (
    <Calendar
      data={calendar}
      address={(search) => classAddress(classId, 'calendar', search)}
      dialog={(name, search) => `/classes/detail/${name}${classSearch(classId, 'calendar', search)}`}
    />
  );
}
