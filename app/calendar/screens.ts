/** Where the calendar of the person stands, and what opens over it and over that of a class. */
import * as v from 'valibot';
import { CalendarSearch } from '#server/calendar/contract.ts';
import { SearchText } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';

export const teachCalendar = screen('TeachCalendar', '/calendar', 'teach-calendar');
/** By its view and any day of it. */
export const teachDays = listScreen(teachCalendar, CalendarSearch);

export const eitherCalendar = either(teachCalendar, classDetail);
/** `entry`: the kind and the id of what is joined by the codes. */
export const joinCodes = dialog(eitherCalendar, 'codes', 'codes', { entry: SearchText });
export const subscription = dialog(eitherCalendar, 'subscribe', 'subscribe');

/** For calendar programs. */
export const feedFile = screen(
  'calendar/feed',
  '/calendar/feed/:file',
  'feed.ts',
  { file: v.string() },
  { bare: true },
);
