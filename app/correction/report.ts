/** A desk as JSON: fetched ahead by the living grading screen. */
import { api } from '../api.server.ts';
import type { Route } from './+types/report';
import { readAddress } from './address.ts';
import { openDesk } from './grading.server.ts';
import { outcomeJson } from './outcome-json.server.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  return outcomeJson(() => openDesk(context.get(api), readAddress(url.searchParams)));
}
