/** Whoever asks for a made file with a token of their own, and not as a browser, gets it from the API as it is. */
import { apiFetch } from '../api/process.server.ts';
import type { Route } from './+types/by-token';

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request }, next) => (request.headers.has('authorization') ? apiFetch(request) : next()),
];
