/** Saving from the living grading screen. */
import type { Route } from './+types/save';
import { callsOf } from './desk/calls.server.ts';
import { saveByScript } from './desk/save-route.server.ts';

export const action = ({ request, context, url }: Route.ActionArgs) => saveByScript(callsOf(url), { request, context });
