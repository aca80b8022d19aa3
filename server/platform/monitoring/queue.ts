/** State of a queue of background work, for monitoring. */
export interface QueueState {
  /** Items waiting or in progress. */
  waiting: number;
  /** When the oldest waiting item was queued, unix seconds; null if none waits. */
  oldestAt: number | null;
  /** Waiting items that have failed at least once. */
  failing: number;
  /** Error of the latest failure, without personal data. */
  error: string;
}
