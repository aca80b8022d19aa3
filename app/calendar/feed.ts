/** Returns a calendar feed (iCalendar) at its private address, without sign-in. Streams it from the API. */
import { missingFeed } from '#server/calendar/rules.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { apiFetch } from '../api/process.server.ts';
import type { Route } from './+types/feed';
import { feedFile } from './screens.ts';

export async function loader({ request, url }: Route.LoaderArgs) {
  const token = /^([\w-]{20,100})\.ics$/.exec(feedFile.at(url).file)?.[1];
  if (!token) return new Response(missingFeed, { status: 404 });
  const headers = new Headers();
  const known = request.headers.get('if-none-match');
  if (known) headers.set('if-none-match', known);
  try {
    return await apiFetch(new Request(`http://api/api/calendar/feed/${token}`, { headers }));
  } catch {
    return new Response(callMessages.away, { status: 503, headers: { 'retry-after': '300' } });
  }
}
