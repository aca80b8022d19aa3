/**
 * Pushes changes of a class's leave requests to everyone who has the list open. Sends one API request per class and
 * interval, on behalf of one listener. Closes the stream of a listener who may no longer see the class.
 */

import type { LeavePulse } from '#server/attendance/leave.contract.ts';

/** Milliseconds between two requests. */
const pollInterval = 3_000;

export interface Listener {
  /**
   * Reads the current state. Undefined while the API is unreachable. Throws or returns 'gone' if the user may not see
   * the class any more.
   */
  ask(): Promise<LeavePulse | 'gone' | undefined>;
  tell(mark: string): void;
  end(): void;
}

interface Watch {
  listeners: Set<Listener>;
  timer: NodeJS.Timeout;
  mark: string | undefined;
  isAsking: boolean;
}

const watches = new Map<number, Watch>();

/** Subscribes a listener to a class. Returns the function that unsubscribes. */
export function watchLeave(classId: number, listener: Listener, every = pollInterval): () => void {
  const watch = watches.get(classId) ?? startWatch(classId, every);
  watch.listeners.add(listener);
  return () => {
    watch.listeners.delete(listener);
    if (watch.listeners.size > 0 || watches.get(classId) !== watch) return;
    clearInterval(watch.timer);
    watches.delete(classId);
    if (watches.size === 0) for (const signal of stopSignals) process.off(signal, endAll);
  };
}

/** Number of classes with listeners, for tests. */
export const watchedClasses = (): number => watches.size;

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ends all event streams on shutdown: open responses would delay the shutdown for minutes. Browsers reconnect. */
function endAll(signal: NodeJS.Signals): void {
  for (const { listeners } of watches.values()) for (const listener of [...listeners]) listener.end();
  // A signal handler suppresses the default action, so the signal is raised again if no other handler exists.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function startWatch(classId: number, every: number): Watch {
  if (watches.size === 0) for (const signal of stopSignals) process.on(signal, endAll);
  const watch: Watch = {
    listeners: new Set(),
    timer: setInterval(() => void askOnce(watch), every).unref(),
    mark: undefined,
    isAsking: false,
  };
  watches.set(classId, watch);
  return watch;
}

async function askOnce(watch: Watch): Promise<void> {
  const [first] = watch.listeners;
  // A slow request is awaited: there are never two at once per class.
  if (!first || watch.isAsking) return;
  watch.isAsking = true;
  try {
    const pulse = await first.ask().catch(() => 'gone' as const);
    if (pulse === 'gone') first.end();
    else if (pulse && pulse.mark !== watch.mark) {
      watch.mark = pulse.mark;
      for (const listener of watch.listeners) listener.tell(pulse.mark);
    }
  } finally {
    watch.isAsking = false;
  }
}
