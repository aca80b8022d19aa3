/**
 * A deadline for a request that waits for the database. All waits of a request (for a connection, an answer, a lock of
 * another process) take from one account, and every answer fills it again: so a hung database is reported within five
 * seconds, however many queries the page has, and work that goes forward is never cut. Commands and jobs (exports,
 * migrations, the demo's filling) run outside of any request and have the limit of each wait alone. An example:
 *
 * `withRequestDeadline(() => inTime(() => client.query(text)))`
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setting } from '#server/platform/configuration/setting.ts';

/** Milliseconds; with what surrounds them a request is answered within five seconds, unless somebody has set more. */
export const requestDeadline = Math.max(4_000, setting('DATABASE_WAIT'), setting('DATABASE_STATEMENT_TIMEOUT') + 500);

/** The time that a request has left. Waits at the same time count once. */
class Deadline {
  readonly limit: number;
  private waits = 0;
  /** When the present wait began, or the last one ended. */
  private since = Number.NEGATIVE_INFINITY;
  private spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  begin(): number {
    const now = performance.now();
    if (this.waits === 0) {
      // What lives on for minutes (a stream of events) begins anew each time it comes back.
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

/** Runs a request, whose waits share one deadline. Inside another request it is a part of that one. */
export function withRequestDeadline<T>(work: () => T): T {
  return requests.getStore() ? work() : requests.run(new Deadline(requestDeadline), work);
}

/** Runs `work` with a deadline of its own, in milliseconds, for a probe. */
export const withDeadline = <T>(limit: number, work: () => T): T => requests.run(new Deadline(limit), work);

/** Runs a job that goes on behind a request, or before the first one, as long as it takes. */
export const withoutDeadline = <T>(work: () => T): T => requests.run(undefined, work);

export const hasDeadline = (): boolean => requests.getStore() !== undefined;

export interface Wait {
  /** Milliseconds that the wait may last. */
  left: number;
  end(answered: boolean): void;
}

/** Begins a wait; outside of a request it may last `longest` milliseconds. */
export function beginWait(longest: number): Wait {
  const deadline = requests.getStore();
  if (!deadline) return { left: longest, end: () => undefined };
  return { left: deadline.begin(), end: (answered) => deadline.end(answered) };
}

/** The database cannot be reached, or did not answer in time. */
export class DatabaseAway extends Error {
  readonly code = databaseAwayCode;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export const databaseAwayCode = 'DATABASE_AWAY';

interface WaitOptions {
  /** Milliseconds outside of a request; for ever by default. */
  longest?: number;
  /** Whether what is waited for shows that the database is alive, and fills the account again; true by default. */
  isAnswer?: boolean;
  /** Told when nobody waits any more. */
  late?: () => void;
}

/** What `start` comes to, or `DatabaseAway` where the deadline has passed or passes before. */
export async function inTime<T>(
  start: () => Promise<T>,
  { longest = Number.POSITIVE_INFINITY, isAnswer = true, late }: WaitOptions = {},
): Promise<T> {
  const wait = beginWait(longest);
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
      // An answer may lie there while this process is busy with something else: what has come is read first.
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
