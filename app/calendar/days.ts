/** Arithmetic of days written as `yyyy-mm-dd`. Such a day has no time, so no time zone matters. */

const millisecondsOfDay = 24 * 60 * 60 * 1000;

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const formatUtcDay = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string => formatUtcDay(at(day) + count * millisecondsOfDay);

/** Day of the week, from 0 (Monday) to 6 (Sunday). */
export const weekday = (day: string): number => (new Date(at(day)).getUTCDay() + 6) % 7;

export const mondayOf = (day: string): string => addDays(day, -weekday(day));

export function weekOf(day: string): string[] {
  const monday = at(mondayOf(day));
  return Array.from({ length: 7 }, (_, index) => formatUtcDay(monday + index * millisecondsOfDay));
}

/** Returns the same day of another month, or the month's last day if the month is shorter. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return formatUtcDay(Date.UTC(year, month - 1 + count, Math.min(date, last)));
}

/** Returns the weeks from Monday that contain a day of the month. */
export function weeksOfMonth(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`;
  const last = addDays(addMonths(first, 1), -1);
  const count = (at(mondayOf(last)) - at(mondayOf(first))) / (7 * millisecondsOfDay) + 1;
  return Array.from({ length: count }, (_, week) => weekOf(addDays(first, week * 7)));
}

export const weekdayNames = ['一', '二', '三', '四', '五', '六', '日'] as const;

/** Formats a day: `11月20日`. */
export const dayName = (day: string): string => `${Number(day.slice(5, 7))}月${Number(day.slice(8))}日`;

/** Formats a month: `2026年11月`. */
export const monthName = (day: string): string => `${Number(day.slice(0, 4))}年${Number(day.slice(5, 7))}月`;
