/** Adds calendar entries to a test school: every kind, of the signed-in person, of others and of nobody. */

import { noon, type TestSchool } from './school.ts';
import { insertSession } from './sessions.ts';

const hour = 60 * 60;

export interface NewPeriod {
  title: string;
  lecturer?: keyof TestSchool['people'];
  course?: number;
  /** Start of the entry in unix seconds. Default: noon. */
  start?: number;
  minutes?: number;
  type?: number;
  advance_time?: number;
  student_code?: string;
  allow_enter?: 0 | 1;
  is_playback?: 0 | 1;
  periods_extend?: 0 | 1;
}

export async function addPeriod({ database, people, courses }: TestSchool, period: NewPeriod): Promise<number> {
  const { title, lecturer, course, start = noon, minutes = 60, type = 1, ...settings } = period;
  const { id } = await database.db
    .insertInto('period')
    .values({
      course_id: course ?? courses.shared,
      chapter_id: null,
      title,
      lecturer_id: lecturer ? people[lecturer].id : null,
      start_play: start,
      total_time: minutes * 60,
      periods_type: type,
      ...settings,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A scheduled lesson of a new group class that the assistant looks after. */
export async function addLesson(
  school: TestSchool,
  lesson: {
    lecturer: keyof TestSchool['people'];
    assistant?: keyof TestSchool['people'];
    start?: number;
    cancelled?: boolean;
    mode?: 1 | 2;
  },
): Promise<number> {
  const { database, people, courses } = school;
  const { db } = database;
  const start = lesson.start ?? noon;
  const { school_id } = await db.selectFrom('course').select('school_id').executeTakeFirstOrThrow();
  const team = await db
    .insertInto('class')
    .values({
      name: '小班',
      school_id,
      grade_id: null,
      classify_id: null,
      large_class_id: null,
      class_type: 3,
      created_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('class_course').values({ class_id: team.id, course_id: courses.shared }).execute();
  if (lesson.assistant) {
    await db
      .insertInto('class_staff')
      .values({ class_id: team.id, staff_id: people[lesson.assistant].id, duty: 'assistant' })
      .execute();
  }
  return insertSession(school, {
    class_id: team.id,
    lecturer_id: people[lesson.lecturer].id,
    teaching_mode: lesson.mode ?? 1,
    chapter_title: '课次内容',
    start_time: start,
    cancelled_at: lesson.cancelled ? noon : null,
  });
}

export async function addMeeting(
  { database: { db }, people }: TestSchool,
  meeting: { classId: number; holder: keyof TestSchool['people']; start?: number },
): Promise<number> {
  const start = meeting.start ?? noon;
  const number = `${meeting.classId}-${start}-${meeting.holder}`;
  const { id } = await db
    .insertInto('class_meeting')
    .values({
      class_id: meeting.classId,
      meeting_name: '期中总结',
      start_time: start,
      end_time: start + hour,
      staff_id: people[meeting.holder].id,
      room_id: `room-${number}`,
      teacher_code: `T${number}`,
      assistant_code: `A${number}`,
      student_code: `S${number}`,
      created_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A group of a class in a course, with its assistants. */
export async function addGroup(
  { database: { db }, people, courses }: TestSchool,
  group: { name: string; classId: number; course?: number; assistants: (keyof TestSchool['people'])[] },
): Promise<number> {
  const { id } = await db
    .insertInto('class_group')
    .values({ class_id: group.classId, course_id: group.course ?? courses.shared, group_name: group.name })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const name of group.assistants) {
    await db.insertInto('class_group_staff').values({ class_group_id: id, staff_id: people[name].id }).execute();
  }
  return id;
}

/** Makes a person the head teacher of a class. */
export async function setHead(
  { database: { db }, people }: TestSchool,
  classId: number,
  name: keyof TestSchool['people'],
) {
  await db.insertInto('class_staff').values({ class_id: classId, staff_id: people[name].id, duty: 'head' }).execute();
}
