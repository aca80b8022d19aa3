/**
 * Tells everyone who looks at the leave list of a class when it has changed. However many look, the API is asked once
 * for each class and interval; it is asked for one of them, and who may no longer see the class is let go.
 */
import type { LeavePulse } from '#server/attendance/contract.ts';

/** Milliseconds between two questions. */
const interval = 3_000;

export interface Listener {
  /** Undefined while the API is away; throws or says `gone` when this person may not ask any more. */
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

/** Listens until the answered function is called. */
export function watchLeave(classId: number, listener: Listener, every = interval): () => void {
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

/** How many classes are watched: none when nobody looks. */
export const watchedClasses = (): number => watches.size;

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A server that is to stop waits for its answers to end: these would keep it for minutes. Browsers come again. */
function endAll(signal: NodeJS.Signals): void {
  for (const { listeners } of watches.values()) for (const listener of [...listeners]) listener.end();
  // Whoever listens to a signal takes its effect away: where nobody else does, it is given back.
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
  // A slow answer is waited for instead of asking again.
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
