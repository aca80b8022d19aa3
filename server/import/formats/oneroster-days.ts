/** Shifts a day. A last day is exclusive in OneRoster but inclusive here, so it is converted by one day. */
const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

export const dayBefore = (day: string): string => shiftDay(day, -1);
export const dayAfter = (day: string): string => shiftDay(day, 1);
