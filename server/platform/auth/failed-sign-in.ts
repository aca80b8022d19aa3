import { currentRequest } from '#server/platform/monitoring/current-request.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { count } from '#server/platform/monitoring/metrics.ts';

interface FailedSignIn {
  /** Identity of the account that was tried; `unknown` if no account has that name. */
  identity: string;
  reason: 'wrong' | 'wrong code' | 'too many' | 'provider';
  /** Only needed outside of a request; otherwise it comes from the current request. */
  requestId?: string;
  address?: string;
}

/** Logs a failed sign-in with its address, for detecting guessers. Never logs a name or password. */
export function logFailedSignIn(log: Log, failed: FailedSignIn): void {
  count('signInFailures', { identity: failed.identity });
  const { requestId = failed.requestId, address = failed.address } = currentRequest() ?? {};
  log.warn({ ...failed, requestId, address }, 'sign-in failed');
}
