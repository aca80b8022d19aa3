/** @module-tag thorough */
/**
 * A calendar feed with outdated zone rules shows lessons an hour off: ical4j #645, nextcloud/calendar #5234. The feed’s
 * definition uses the same zone data as the screens.
 */
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { calendarText } from '#server/calendar/feed-file.ts';

const stamp = Date.UTC(2026, 10, 20, 4) / 1000;
const day = 24 * 60 * 60;

/** Seconds by which a calendar program misreads each of 60 lessons within two years. */
function readIn(timezone: string): number[] {
  const starts = Array.from({ length: 60 }, (_, at) => stamp + (at - 20) * 11 * day + at * 1800);
  const courses = starts.map((start_play, id) => ({
    kind: 'course',
    id,
    start_play,
    end_play: start_play + 3600,
    course_title: '课',
    period_title: '',
    meeting_name: '',
    class_name: '',
    nickname: '',
    room_name: '',
    is_cancelled: 0,
  }));
  const text = calendarText({ name: '课', courses: courses as never, timezone, installation: 'x', stamp });
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  const read = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event).startDate.toUnixTime());
  expect(read).toHaveLength(starts.length);
  return read.map((moment, at) => moment - (starts[at] ?? 0));
}

describe('a calendar feed', () => {
  it.each([
    'Africa/Cairo',
    'America/Mexico_City',
    'Asia/Almaty',
    'Africa/Casablanca',
    'America/Sao_Paulo',
    'Asia/Amman',
    'Europe/Dublin',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'America/Santiago',
    'Asia/Shanghai',
  ])('shows lessons at their moment in %s', (zone) => {
    expect(readIn(zone).filter((late) => late !== 0)).toEqual([]);
  });

  it('shows lessons at their moment in every zone that Node knows', () => {
    const wrong = Intl.supportedValuesOf('timeZone').filter((zone) => readIn(zone).some((late) => late !== 0));
    expect(wrong).toEqual([]);
  });
});
