/** Returns a range of unix seconds that includes both ends. A reversed range is swapped. */
export function secondRange(start: number | undefined, end: number | undefined): { from?: number; to?: number } {
  const [from, to] = start !== undefined && end !== undefined && start > end ? [end, start] : [start, end];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
