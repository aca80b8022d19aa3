/** Saving from the living grading screen of exams. */
import type { Route } from './+types/exam-save';
import { examCalls } from './exam-calls.server.ts';
import { saveByScript } from './save-route.server.ts';

export const action = ({ request, context }: Route.ActionArgs) => saveByScript(examCalls, { request, context });
