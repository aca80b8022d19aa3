/**
 * Days off and make-up workdays of mainland China: as the State Council has announced them, or, for a year that is not
 * announced yet, by law alone.
 */

import chineseDays from 'chinese-days';
import announcements from 'chinese-days/dist/chinese-days.json' with { type: 'json' };
import { addDays, weekdayOf } from '#server/courses/rules.ts';
import type { weekdays } from './holidays.contract.ts';

export interface NationalDay {
  /** Day as `yyyy-mm-dd`. */
  day: string;
  name: string;
  is_workday: 0 | 1;
  /** Weekday (1 is Monday) of the day off that a make-up workday compensates. */
  as_weekday: (typeof weekdays)[number] | null;
}

export interface NationalYear {
  /** False: only the days off by law, because the announcement of the year is not in the data yet. */
  isAnnounced: boolean;
  days: NationalDay[];
}

const holidays: Readonly<Record<string, string>> = announcements.holidays;
const workdays: Readonly<Record<string, string>> = announcements.workdays;
const inLieuDays: Readonly<Record<string, string>> = announcements.inLieuDays;

const lastAnnounced = Object.keys(holidays).reduce((last, day) => (day > last ? day : last), '');

/** Last year that can be computed: the lunar tables end in 2100, and the rule for Qingming in 2099. */
const lastYear = 2099;

/** Returns the days of a year by date. Empty before 2004 and after 2099. */
export function nationalDays(year: number): NationalYear {
  if (`${year}` > lastAnnounced.slice(0, 4))
    return { isAnnounced: false, days: year > lastYear ? [] : statutoryDays(year) };
  const off = daysIn(holidays, year).map(
    ({ day, name }): NationalDay => ({ day, name, is_workday: 0, as_weekday: null }),
  );
  const days = [...off, ...workdaysOf(year)].sort((a, b) => (a.day < b.day ? -1 : 1));
  return { isAnnounced: days.length > 0, days };
}

/**
 * Pairs each make-up workday of a festival with one of the festival's days off in lieu, in order. The announcements
 * name no pairs, but most schools teach the timetable of the lost day.
 */
function workdaysOf(year: number): NationalDay[] {
  const lieu = daysIn(inLieuDays, year);
  const worked = daysIn(workdays, year);
  return worked.map(({ day, name }) => {
    const lost = lieu.filter((other) => other.name === name);
    const made = worked.filter((other) => other.name === name);
    const pair = lost.length === made.length ? lost[made.findIndex((other) => other.day === day)] : undefined;
    return { day, name, is_workday: 1, as_weekday: pair ? (weekdayOf(pair.day) as NationalDay['as_weekday']) : null };
  });
}

/** Reads the days of a year from the data. Its values are `English name,中文名,days by law`. */
const daysIn = (days: Readonly<Record<string, string>>, year: number) =>
  Object.entries(days)
    .filter(([day]) => day.startsWith(`${year}-`))
    .map(([day, names]) => ({ day, name: names.split(',')[1] ?? names }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));

/**
 * True if the days that the school has recorded for a year miss what an announcement adds: no make-up workday, and
 * either no announcement yet or only days off by law.
 */
export function isByLawAlone(year: number, days: readonly { day: string; is_workday: number }[]): boolean {
  if (year > lastYear || days.length === 0 || days.some(({ is_workday }) => is_workday === 1)) return false;
  const byLaw = new Set(statutoryDays(year).map(({ day }) => day));
  return `${year}` > lastAnnounced.slice(0, 4) || days.every(({ day }) => byLaw.has(day));
}

/** Returns the thirteen days off by law since 2025, without the weekends and swapped days that an announcement adds. */
function statutoryDays(year: number): NationalDay[] {
  const newYear = solarDay(year, 1, 1);
  const days: [day: string, name: string][] = [
    [`${year}-01-01`, '元旦'],
    ...[-1, 0, 1, 2].map((at): [string, string] => [addDays(newYear, at), '春节']),
    [`${year}-04-0${qingming(year)}`, '清明'],
    [`${year}-05-01`, '劳动节'],
    [`${year}-05-02`, '劳动节'],
    [solarDay(year, 5, 5), '端午'],
    [solarDay(year, 8, 15), '中秋'],
    ...[1, 2, 3].map((day): [string, string] => [`${year}-10-0${day}`, '国庆节']),
  ];
  // Keeps one entry per day: Mid-autumn may fall on National Day.
  const byDay = new Map(days);
  return [...byDay]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, name]) => ({ day, name, is_workday: 0, as_weekday: null }));
}

/**
 * Converts a lunar date to a solar day. The date must be written with slashes: the package then reads it in the
 * server's time zone and writes the result in the same zone. With hyphens the result is wrong west of Greenwich.
 * (`Intl` has the new year of 2027 a day late.)
 */
const solarDay = (year: number, month: number, day: number): string =>
  chineseDays.getSolarDateFromLunar(`${year}/${month}/${day}`).date;

/** Returns the day of April on which Qingming falls, from 2000 to 2099. */
const qingming = (year: number): number => {
  const ofCentury = year % 100;
  return Math.floor(ofCentury * 0.2422 + 4.81) - Math.floor(ofCentury / 4);
};
