/** Callers that are remembered. */
const most = 50_000;

/**
 * Limits the calls of each caller in this process: `atOnce` calls, and `perSecond` more in each second. Answers the seconds
 * to wait, undefined where the call may be made. `at` in milliseconds.
 */
export function createLimit({ atOnce, perSecond }: { atOnce: number; perSecond: number }) {
  const left = new Map<number | string, { calls: number; at: number }>();
  return (caller: number | string, at: number): number | undefined => {
    const known = left.get(caller) ?? { calls: atOnce, at };
    const calls = Math.min(atOnce, known.calls + ((at - known.at) / 1000) * perSecond);
    if (left.size >= most && !left.has(caller)) left.clear();
    left.set(caller, { calls: calls < 1 ? calls : calls - 1, at });
    return calls < 1 ? Math.ceil((1 - calls) / perSecond) : undefined;
  };
}
