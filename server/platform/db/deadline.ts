/**
 * Deadline (timeout budget) of a request's database waits. All waits of a request (for a connection, a result, a lock)
 * share one budget, and every answer refills it. A hung database is reported within five seconds, however many queries
 * the page has; work that makes progress is never cut. Commands and jobs (exports, migrations, demo data) run outside
 * of requests and only have a limit for each wait. An example:
 *
 * `withRequestDeadline(() => withinDeadline(() => client.query(text)))`
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setting } from '#server/platform/configuration/setting.ts';

/** Milliseconds that a request may wait for the database in total. By default it is answered within five seconds. */
export const requestDeadline = Math.max(4_000, setting('DATABASE_WAIT'), setting('DATABASE_STATEMENT_TIMEOUT') + 500);

/** Time budget of one request. Waits at the same time count once. */
class Deadline {
  readonly limit: number;
  private waits = 0;
  /** When the current wait began; between two waits, when the last one ended. */
  private since = Number.NEGATIVE_INFINITY;
  private spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  begin(): number {
    const now = performance.now();
    if (this.waits === 0) {
      // A long request (an event stream) gets a fresh budget after a pause longer than the limit.
      if (now - this.since > this.limit) this.spent = 0;
      this.since = now;
    }
    this.waits += 1;
    return this.limit - this.spent - (now - this.since);
  }

  end(answered: boolean): void {
    const now = performance.now();
    this.waits -= 1;
    this.spent = answered ? 0 : this.spent + (now - this.since);
    this.since = now;
  }
}

const requests = new AsyncLocalStorage<Deadline | undefined>();

/** Runs a request under one deadline. A nested call shares the outer deadline. */
export function withRequestDeadline<T>(work: () => T): T {
  return requests.getStore() ? work() : requests.run(new Deadline(requestDeadline), work);
}

/** Runs `work` with a deadline of its own, in milliseconds; for health checks. */
export const withDeadline = <T>(limit: number, work: () => T): T => requests.run(new Deadline(limit), work);

/** Runs background work without a deadline, even if a request started it. */
export const withoutDeadline = <T>(work: () => T): T => requests.run(undefined, work);

export const hasDeadline = (): boolean => requests.getStore() !== undefined;

export interface DatabaseWait {
  /** Milliseconds for which this wait may last. */
  left: number;
  end(answered: boolean): void;
}

/** Begins a wait. Outside of requests it may last `longest` milliseconds. */
export function beginDatabaseWait(longest: number): DatabaseWait {
  const deadline = requests.getStore();
  if (!deadline) return { left: longest, end: () => undefined };
  return { left: deadline.begin(), end: (answered) => deadline.end(answered) };
}

/** Thrown if the database is unreachable or did not answer in time. */
export class DatabaseAway extends Error {
  readonly code = databaseAwayCode;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export const databaseAwayCode = 'DATABASE_AWAY';

interface WaitOptions {
  /** Limit in milliseconds outside of requests; none by default. */
  longest?: number;
  /** True (the default) if the result proves that the database is alive, which refills the budget. */
  isAnswer?: boolean;
  /** Called if the wait timed out. */
  late?: () => void;
}

/** Awaits `start`, or throws `DatabaseAway` once the deadline has passed. */
export async function withinDeadline<T>(
  start: () => Promise<T>,
  { longest = Number.POSITIVE_INFINITY, isAnswer = true, late }: WaitOptions = {},
): Promise<T> {
  const wait = beginDatabaseWait(longest);
  let answered = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    if (wait.left <= 0) throw unanswered();
    const promised = start();
    if (wait.left === Number.POSITIVE_INFINITY) return await promised;
    const inVain = new Promise<never>((_, reject) => {
      const giveUp = () => {
        if (isOver) return;
        late?.();
        reject(unanswered());
      };
      // Lets the event loop run once more before giving up, because the answer may have arrived while this process was
      // busy.
      timer = setTimeout(() => setImmediate(giveUp), wait.left);
    });
    const result = await Promise.race([promised, inVain]);
    answered = isAnswer;
    return result;
  } finally {
    isOver = true;
    clearTimeout(timer);
    wait.end(answered);
  }
}

const unanswered = () => new DatabaseAway('the database does not answer in time');
