/** When work behind the requests is tried again, and when it is named as failing. */

/** Failures in a row from which on somebody has to know. */
export const failingFrom = 3;

/** Seconds until it is tried again after so many failures: 5, 10, 20 …; whoever has work sets an end to it. */
export const jobBackoff = (tries: number): number => 5 * 2 ** Math.min(tries - 1, 20);
