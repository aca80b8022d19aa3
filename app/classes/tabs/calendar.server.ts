import { loadCalendar } from '../../calendar/calendar.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import type { TabRequest } from './tab.ts';

export async function loadCalendarTab({ client, classId, url, context, now }: TabRequest) {
  const { timezone } = signedInPerson(context).settings;
  return { classId, calendar: await loadCalendar({ client, url, timezone, now, classId }) };
}
