import { deskOf, examDesk } from '../screens.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { examCalls } from './exam-calls.server.ts';
import { homeworkCalls } from './homework-calls.server.ts';

/** The calls of the kind of correction that an address is of. */
export const callsOf = (url: URL): DeskCalls => (deskOf(url) === examDesk ? examCalls : homeworkCalls);
