/** When background jobs are retried, and when they count as failing. */

/** Failures in a row after which administrators are told. */
export const failuresUntilAlert = 3;

/** Seconds until the next retry after this many failures: 5, 10, 20 and so on. Callers apply a maximum. */
export const jobBackoff = (tries: number): number => 5 * 2 ** Math.min(tries - 1, 20);
