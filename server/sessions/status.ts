/** Where a scheduled lesson stands: read from the clock, so never out of date. */
import type { SessionRow } from './contract.ts';

interface Times {
  start_time: number;
  end_time: number;
  cancelled_at: number | null;
}

/** 1 held, 2 not yet held, 3 in progress, 4 cancelled. Times in unix seconds. */
export function sessionStatus({ start_time, end_time, cancelled_at }: Times, now: number): SessionRow['status'] {
  if (cancelled_at !== null) return 4;
  if (now < start_time) return 2;
  return now < end_time ? 3 : 1;
}
