/** Saving from the living grading screen. */
import type { Route } from './+types/save';
import { callsOf } from './calls.server.ts';
import { saveByScript } from './save-route.server.ts';

export const action = ({ request, context, url }: Route.ActionArgs) => saveByScript(callsOf(url), { request, context });
