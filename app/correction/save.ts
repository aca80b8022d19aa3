/** Saving from the living grading screen of homework. */
import type { Route } from './+types/save';
import { homeworkCalls } from './homework-calls.server.ts';
import { saveByScript } from './save-route.server.ts';

export const action = ({ request, context }: Route.ActionArgs) => saveByScript(homeworkCalls, { request, context });
