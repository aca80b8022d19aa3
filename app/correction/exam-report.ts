/** A desk as JSON: fetched ahead by the living grading screen of exams. */
import type { Route } from './+types/exam-report';
import { examCalls } from './exam-calls.server.ts';
import { openJson } from './open-desk.server.ts';

export const loader = ({ context, url }: Route.LoaderArgs) => openJson(examCalls, { context, url });
