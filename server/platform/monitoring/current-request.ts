/** The request being answered (AsyncLocalStorage), for log lines, metrics and traces. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CounterName, Labels } from './metrics.ts';
import type { RequestSpan } from './traces.ts';

export interface CurrentRequest {
  readonly requestId: string;
  readonly method: string;
  /** Client address, as rate limits see it. */
  readonly address: string;
  /** Route pattern, such as `/api/teacher/hw/:id`. Never the address itself, which may contain names. */
  route?: string;
  /** Id of the user and their identity. */
  person?: number;
  identity?: string;
  /** Number of SQL statements and their total milliseconds. */
  statements: number;
  databaseTime: number;
  /** Counters to add after the answer, unless it is a refusal. */
  counts?: { name: CounterName; labels: Labels; by: number }[];
  span?: RequestSpan;
}

const fitId = /^[\w-]{1,100}$/;

/**
 * Returns the X-Request-Id that the client sent if it is well formed, otherwise a new id. Pages, answers and the log
 * show it.
 */
export const requestIdOf = (sent = ''): string => (fitId.test(sent) ? sent : randomUUID());

const current = new AsyncLocalStorage<CurrentRequest>();

/** Binds all further async work of this turn of the event loop to the request. */
export const enterRequest = (request: CurrentRequest): void => current.enterWith(request);

export const currentRequest = (): CurrentRequest | undefined => current.getStore();

/** Fields of the request for log lines. */
export function describeRequest(): { requestId?: string; method?: string; route?: string } {
  const request = currentRequest();
  if (!request) return {};
  const { requestId, method, route } = request;
  return { requestId, method, ...(route && { route }) };
}

/** Records the route pattern of the request. The first one counts, unless it is only a mount point (`/api/*`). */
export function recordRoute(pattern: string): void {
  const request = currentRequest();
  if (!request || (request.route && !request.route.endsWith('/*'))) return;
  request.route = pattern.startsWith('/') ? pattern : `/${pattern}`;
}

/** Records the signed-in user of the request. */
export function recordPerson(person: number, identity: string): void {
  const request = currentRequest();
  if (!request) return;
  request.person = person;
  request.identity = identity;
}
