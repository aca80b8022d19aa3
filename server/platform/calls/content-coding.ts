/** True if the Accept-Encoding header allows this compression. */
export function takesCoding(accepted: string | string[] | null | undefined, coding: string): boolean {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',');
  const weighed = codings.map((one) => one.trim().split(/\s*;\s*q=/));
  const weight = weighed.find(([name]) => name === coding) ?? weighed.find(([name]) => name === '*');
  return weight !== undefined && Number(weight[1] ?? 1) > 0;
}
