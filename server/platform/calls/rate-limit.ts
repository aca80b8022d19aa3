/** Maximum callers that are remembered at a time. */
const most = 50_000;

/**
 * Rate limit (token bucket) per caller in this process: a burst of `atOnce` calls, then `perSecond`. The returned
 * function gives the seconds to wait, or undefined if the call is allowed; `at` is in milliseconds.
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
