/** Where the calendar of the person stands, and what opens over it and over that of a class. */
import { CalendarSearch } from '#server/calendar/contract.ts';
import { SearchText } from '#server/platform/calls/fields.ts';
import { dialog, listScreen, screen } from '../lib/screen.ts';

export const teachCalendar = screen('TeachCalendar', '/calendar');
/** By its view and any day of it. */
export const teachDays = listScreen(teachCalendar, CalendarSearch);

/** `entry`: the kind and the id of what is joined by the codes. */
export const joinCodes = dialog('codes', { entry: SearchText });
export const subscription = dialog('subscribe');

/** For calendar programs. */
export const feedFile = screen('calendar/feed', '/calendar/feed/:file');
