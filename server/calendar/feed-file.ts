/** Writes a calendar as iCalendar text (RFC 5545). */
import dayjs from 'dayjs';
import timezonePlugin from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import createCalendar, { ICalEventStatus } from 'ical-generator';
import type { CalendarCourse } from './contract.ts';
import { zoneDefinition } from './feed-zone.ts';

dayjs.extend(utc);
dayjs.extend(timezonePlugin);

export interface FeedFile {
  name: string;
  courses: CalendarCourse[];
  /** Time zone as an IANA name. */
  timezone: string;
  /** Id of this installation, which makes the ids of events unique across installations. */
  installation: string;
  /** Time when the text is written, unix seconds. */
  stamp: number;
}

/** Seconds before the first lesson and after the last for which the time zone is defined. */
const around = 365 * 24 * 60 * 60;

/**
 * Returns the calendar as text. Times are in the school's zone, which the text then defines, or in UTC if the school
 * uses UTC.
 */
export function calendarText({ name, courses, timezone, installation, stamp }: FeedFile): string {
  const isDefined = timezone !== 'UTC';
  const moments = courses.flatMap(({ start_play, end_play }) => [start_play, end_play]);
  const [from, until] = [Math.min(stamp, ...moments) - around, Math.max(stamp, ...moments) + around];
  const calendar = createCalendar({
    name,
    prodId: { company: 'Lectern', product: 'Teaching calendar', language: 'ZH' },
  });
  // The zone is set for each event: a zone for the whole calendar would put DTSTAMP into local time, but it must be UTC
  // (RFC 5545, 3.8.7.2).
  if (isDefined) calendar.timezone({ name: null, generator: (zone) => zoneDefinition(zone, { from, until }) });
  for (const course of courses) {
    const at = (seconds: number) => (isDefined ? dayjs.unix(seconds).tz(timezone) : dayjs.unix(seconds).utc());
    calendar.createEvent({
      id: `${course.kind}-${course.id}@${installation}.lectern`,
      start: at(course.start_play),
      end: at(Math.max(course.end_play, course.start_play)),
      ...(isDefined ? { timezone } : {}),
      stamp: new Date(stamp * 1000),
      sequence: course.is_cancelled,
      summary: summaryOf(course),
      description: descriptionOf(course),
      ...(course.room_name ? { location: course.room_name } : {}),
      status: course.is_cancelled === 1 ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  // Every line ends with CRLF, including the last (RFC 5545, 3.1).
  return `${calendar.toString().trimEnd()}\r\n`;
}

function summaryOf({ kind, course_title, period_title, meeting_name, is_cancelled }: CalendarCourse): string {
  const title = kind === 'meeting' ? `班会：${meeting_name}` : [course_title, period_title].filter(Boolean).join(' · ');
  return is_cancelled === 1 ? `（已取消）${title}` : title;
}

const descriptionOf = ({ class_name, nickname }: CalendarCourse): string =>
  [class_name && `班级：${class_name}`, nickname && `讲师：${nickname}`].filter(Boolean).join('\n');
