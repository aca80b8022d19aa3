/** Which request is being answered: for its line in the log, its figures, and what goes wrong where nobody is left to hand it to. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CountName, Labels } from './metrics.ts';
import type { RequestSpan } from './traces.ts';

export interface CurrentRequest {
  readonly requestId: string;
  readonly method: string;
  /** From where it comes, as sign-in limits count it. */
  readonly address: string;
  /** The pattern of its address, such as `/api/teacher/hw/:id`; never the address itself, which may say names. */
  route?: string;
  /** Who asks: an id, and whose it is. */
  person?: number;
  identity?: string;
  /** What it has asked of the database, and how many milliseconds the database took for it. */
  statements: number;
  databaseTime: number;
  /** What is counted once it is answered, unless it is refused. */
  counts?: { name: CountName; labels: Labels; by: number }[];
  span?: RequestSpan;
}

const fitId = /^[\w-]{1,100}$/;

/** The caller's own id, where it is fit, or a new one: pages, calls and the log name the request by it. */
export const requestIdOf = (sent = ''): string => (fitId.test(sent) ? sent : randomUUID());

const current = new AsyncLocalStorage<CurrentRequest>();

/** Everything that this turn of the loop causes belongs to the request. */
export const enterRequest = (request: CurrentRequest): void => current.enterWith(request);

export const currentRequest = (): CurrentRequest | undefined => current.getStore();

/** What the log says of it. */
export function describedRequest(): { requestId?: string; method?: string; route?: string } {
  const request = currentRequest();
  if (!request) return {};
  const { requestId, method, route } = request;
  return { requestId, method, ...(route && { route }) };
}

/** Whoever knows the pattern says it. The first one stands, unless it only hands on what lies below it (`/api/*`). */
export function noteRoute(pattern: string): void {
  const request = currentRequest();
  if (!request || (request.route && !request.route.endsWith('/*'))) return;
  request.route = pattern.startsWith('/') ? pattern : `/${pattern}`;
}

/** Whoever knows who asks says it. */
export function notePerson(person: number, identity: string): void {
  const request = currentRequest();
  if (!request) return;
  request.person = person;
  request.identity = identity;
}
