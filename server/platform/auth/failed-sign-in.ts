import { currentRequest } from '#server/platform/monitoring/current-request.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { count } from '#server/platform/monitoring/metrics.ts';

interface FailedSignIn {
  /** Whose it would have been; `unknown` where there is nobody of that name. */
  identity: string;
  reason: 'wrong' | 'wrong code' | 'too many' | 'provider';
  /** Where no request is known that it is part of. */
  requestId?: string;
  address?: string;
}

/** For who watches for guessers: from where, and never which name or password. */
export function noteFailedSignIn(log: Log, failed: FailedSignIn): void {
  count('signInFailures', { identity: failed.identity });
  const { requestId = failed.requestId, address = failed.address } = currentRequest() ?? {};
  log.warn({ ...failed, requestId, address }, 'sign-in failed');
}
