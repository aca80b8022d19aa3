/** Returns the desk as JSON, so that the browser can prefetch the next report. */
import { api } from '../api/client.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Route } from './+types/report';
import { callsOf } from './desk/desk-calls.server.ts';
import { outcomeJson } from './desk/outcome-json.server.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const { screens, open } = callsOf(url);
  return outcomeJson(() => open(context.get(api), screens.data.at(url), signedInPerson(context).settings));
}
