/** Expands the weekly rules of a timetable to the days of a term, without school holidays. */
import { addDays, weekdayOf } from './rules.ts';

export interface WeekRule {
  /** 1 Monday to 7 Sunday. */
  weekday: number;
  first_week: number;
  /** Last week of the rule; 0: until the end of the term. */
  last_week: number;
  parity: 'all' | 'odd' | 'even';
}

export interface Term {
  /** Any day of the first week. */
  first_day: string;
  weeks: number;
  /** Days without lessons, such as holidays. */
  closed: ReadonlySet<string>;
  /** Make-up workdays, with the weekday whose lessons are held. */
  worked: ReadonlyMap<string, number>;
}

export interface TermDay {
  day: string;
  week: number;
  /** Weekday whose lessons are held on this day. */
  weekday: number;
  isWorkedInstead: boolean;
}

/** Number of weeks from the first to the last day of a term, both included; 0 if one of them is unknown. */
export const weeksOf = ({ first_day, last_day }: { first_day: string; last_day: string }): number =>
  first_day === '' || last_day < first_day
    ? 0
    : Math.round((Date.parse(mondayOf(last_day)) - Date.parse(mondayOf(first_day))) / (7 * 86_400_000)) + 1;

export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day));

/** Days of a term in order, without closed ones. */
export function termDays({ first_day, weeks, closed, worked }: Term): TermDay[] {
  const monday = mondayOf(first_day);
  return Array.from({ length: weeks * 7 }, (_, at) => {
    const day = addDays(monday, at);
    const instead = worked.get(day);
    return {
      day,
      week: Math.floor(at / 7) + 1,
      weekday: instead ?? weekdayOf(day),
      isWorkedInstead: instead !== undefined,
    };
  }).filter(({ day }) => !closed.has(day) && day >= first_day);
}

export const isHeldOn = (rule: WeekRule, { week, weekday }: TermDay): boolean =>
  rule.weekday === weekday &&
  week >= rule.first_week &&
  (rule.last_week === 0 || week <= rule.last_week) &&
  (rule.parity === 'all' || (week % 2 === 1) === (rule.parity === 'odd'));
