/** How many calls a token may make: so many at once, and so many more in each second. */

/** Tokens of which something is remembered. */
const most = 50_000;

/** Answers the seconds to wait, undefined where the call may be made. `at` in milliseconds. */
export function createLimit({ atOnce, perSecond }: { atOnce: number; perSecond: number }) {
  const left = new Map<number, { calls: number; at: number }>();
  return (token: number, at: number): number | undefined => {
    const known = left.get(token) ?? { calls: atOnce, at };
    const calls = Math.min(atOnce, known.calls + ((at - known.at) / 1000) * perSecond);
    if (left.size >= most && !left.has(token)) left.clear();
    left.set(token, { calls: calls < 1 ? calls : calls - 1, at });
    return calls < 1 ? Math.ceil((1 - calls) / perSecond) : undefined;
  };
}
