/** Which request is being answered, for what goes wrong where nobody is left to hand it to. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface CurrentRequest {
  requestId: string;
  method: string;
  path: string;
}

const fitId = /^[\w-]{1,100}$/;

/** The caller's own id, where it is fit, or a new one: pages, calls and the log name the request by it. */
export const requestIdOf = (sent = ''): string => (fitId.test(sent) ? sent : randomUUID());

const current = new AsyncLocalStorage<CurrentRequest>();

/** Everything that this turn of the loop causes belongs to the request. */
export const enterRequest = (request: CurrentRequest): void => current.enterWith(request);

export const currentRequest = (): CurrentRequest | undefined => current.getStore();
