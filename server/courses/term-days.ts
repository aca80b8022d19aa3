/** On which days the rules of a timetable take place. */
import { laterDay, weekdayOf } from './rules.ts';

export interface WeekRule {
  /** 1 Monday to 7 Sunday. */
  weekday: number;
  first_week: number;
  /** 0: until the last one. */
  last_week: number;
  parity: 'all' | 'odd' | 'even';
}

export interface Term {
  /** A day of the first week. */
  first_day: string;
  weeks: number;
  /** Days without lessons. */
  closed: ReadonlySet<string>;
  /** Days on which the lessons of another weekday are held. */
  worked: ReadonlyMap<string, number>;
}

export interface TermDay {
  day: string;
  week: number;
  /** Whose lessons are held on it. */
  weekday: number;
  isWorkedInstead: boolean;
}

/** How many weeks there are from the week of a day until that of another; 0 where one is not known. */
export const weeksOf = ({ first_day, last_day }: { first_day: string; last_day: string }): number =>
  first_day === '' || last_day < first_day
    ? 0
    : Math.round((Date.parse(mondayOf(last_day)) - Date.parse(mondayOf(first_day))) / (7 * 86_400_000)) + 1;

export const mondayOf = (day: string): string => laterDay(day, 1 - weekdayOf(day));

/** The days of a term on which lessons are held, in their order. */
export function termDays({ first_day, weeks, closed, worked }: Term): TermDay[] {
  const monday = mondayOf(first_day);
  return Array.from({ length: weeks * 7 }, (_, at) => {
    const day = laterDay(monday, at);
    const instead = worked.get(day);
    return {
      day,
      week: Math.floor(at / 7) + 1,
      weekday: instead ?? weekdayOf(day),
      isWorkedInstead: instead !== undefined,
    };
  }).filter(({ day }) => !closed.has(day) && day >= first_day);
}

export const takesPlace = (rule: WeekRule, { week, weekday }: TermDay): boolean =>
  rule.weekday === weekday &&
  week >= rule.first_week &&
  (rule.last_week === 0 || week <= rule.last_week) &&
  (rule.parity === 'all' || (week % 2 === 1) === (rule.parity === 'odd'));
