/** Screen of the user's calendar, and dialogs over it or over a class's calendar. */
import * as v from 'valibot';
import { CalendarSearch } from '#server/calendar/contract.ts';
import { SearchText } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';

export const teachCalendar = screen('TeachCalendar', '/calendar', 'teach-calendar');
/** The calendar's address: a view, and any day in it. */
export const teachDays = listScreen(teachCalendar, CalendarSearch);

export const calendarScreens = screenGroup(teachCalendar, classDetail);
/** `entry` is the kind and id of a period, lesson or meeting. */
export const joinCodes = dialog(calendarScreens, 'codes', 'codes', { entry: SearchText });
export const subscription = dialog(calendarScreens, 'subscribe', 'subscribe');

export const feedFile = screen(
  'calendar/feed',
  '/calendar/feed/:file',
  'feed.ts',
  { file: v.string() },
  { bare: true },
);
