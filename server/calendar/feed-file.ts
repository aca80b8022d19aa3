/** A calendar as iCalendar text (RFC 5545), for calendar programs. */
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
  /** IANA name. */
  timezone: string;
  /** Of this school, so that no other's records have the same UID. */
  installation: string;
  /** Unix seconds: as of when it is said. */
  stamp: number;
}

/** Seconds before the first lesson and after the last one for which the zone is defined. */
const around = 365 * 24 * 60 * 60;

/** The times carry the school's zone with its definition, unless it is UTC. */
export function calendarText({ name, courses, timezone, installation, stamp }: FeedFile): string {
  const isDefined = timezone !== 'UTC';
  const moments = courses.flatMap(({ start_play, end_play }) => [start_play, end_play]);
  const [from, until] = [Math.min(stamp, ...moments) - around, Math.max(stamp, ...moments) + around];
  const calendar = createCalendar({
    name,
    prodId: { company: 'Lectern', product: 'Teaching calendar', language: 'ZH' },
  });
  // Named for each event: with a zone of the whole calendar the time stamps would not be in UTC (RFC 5545, 3.8.7.2).
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
  // Every line ends with CRLF, the last one too (RFC 5545, 3.1).
  return `${calendar.toString().trimEnd()}\r\n`;
}

function summaryOf({ kind, course_title, period_title, meeting_name, is_cancelled }: CalendarCourse): string {
  const title = kind === 'meeting' ? `班会：${meeting_name}` : [course_title, period_title].filter(Boolean).join(' · ');
  return is_cancelled === 1 ? `（已取消）${title}` : title;
}

const descriptionOf = ({ class_name, nickname }: CalendarCourse): string =>
  [class_name && `班级：${class_name}`, nickname && `讲师：${nickname}`].filter(Boolean).join('\n');
