/** The calendar's state in the address: the view and the day; month and today are left out. */
import type { calendarViews } from '#server/calendar/contract.ts';

export type CalendarViewName = (typeof calendarViews)[number];

export const viewNames: Record<CalendarViewName, string> = { month: '月', week: '周', day: '日' };

export interface CalendarPlace {
  view: CalendarViewName;
  date: string;
}

/** Of a place in the calendar, as search params. */
export function placeSearch({ view, date }: CalendarPlace, today: string): Record<string, string | undefined> {
  return { view: view === 'month' ? undefined : view, date: date === today ? undefined : date };
}
