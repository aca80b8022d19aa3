/** A desk as JSON: fetched ahead by the living grading screen. */
import type { Route } from './+types/report';
import { callsOf } from './desk/calls.server.ts';
import { openJson } from './desk/open-desk.server.ts';

export const loader = ({ context, url }: Route.LoaderArgs) => openJson(callsOf(url), { context, url });
