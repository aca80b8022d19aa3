/** Which request is being answered, for what goes wrong where nobody is left to hand it to. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface CurrentRequest {
  requestId: string;
  method: string;
  path: string;
}

const current = new AsyncLocalStorage<CurrentRequest>();

/** Everything that this turn of the loop causes belongs to the request. */
export const enterRequest = (request: CurrentRequest): void => current.enterWith(request);

export const currentRequest = (): CurrentRequest | undefined => current.getStore();
