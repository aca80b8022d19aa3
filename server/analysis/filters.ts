/** Moments in unix seconds, both included; a range turned round is read the right way. */
export function secondRange(start: number | undefined, end: number | undefined): { from?: number; to?: number } {
  const [from, to] = start !== undefined && end !== undefined && start > end ? [end, start] : [start, end];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
