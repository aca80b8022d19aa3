import { currentRequest } from '#server/platform/monitoring/current-request.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { count } from '#server/platform/monitoring/metrics.ts';

interface FailedSignIn {
  /** Identity that was tried; `unknown` if the name does not exist. */
  identity: string;
  reason: 'wrong' | 'wrong code' | 'too many' | 'provider';
  /** Needed only outside of a request; otherwise the current request gives it. */
  requestId?: string;
  address?: string;
}

/** Logs a failed sign-in with its address, for detecting guessers. Never logs a name or password. */
export function logFailedSignIn(log: Log, failed: FailedSignIn): void {
  count('signInFailures', { identity: failed.identity });
  const { requestId = failed.requestId, address = failed.address } = currentRequest() ?? {};
  log.warn({ ...failed, requestId, address }, 'sign-in failed');
}
