/** A request with its own bearer token, instead of a browser's session, gets the file directly from the API. */
import { apiFetch } from '../api/process.server.ts';
import type { Route } from './+types/by-token';

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request }, next) => (request.headers.has('authorization') ? apiFetch(request) : next()),
];
