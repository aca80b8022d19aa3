/** What waits to be done behind the requests, as who watches over the server sees it. */
export interface QueueState {
  /** How many wait, or are being done. */
  waiting: number;
  /** Since when the oldest has; null: none waits. Unix seconds. */
  oldestAt: number | null;
  /** How many of them were tried and failed. */
  failing: number;
  /** Why the last of these did; it says nothing of anybody. */
  error: string;
}
