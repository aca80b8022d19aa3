/**
 * Group classes and scheduled lessons for tests. Some belong to the person of the test, some to other people, some to
 * nobody.
 */

import { day, noon, type TestSchool } from './school.ts';
import { insertSession } from './sessions.ts';

type Name = keyof TestSchool['people'];

export const hour = 60 * 60;
export const lessonTimes = {
  /** Start of a held lesson (status 1). */
  held: noon - 2 * day,
  /** Start of a lesson in progress (status 3). */
  now: noon - hour / 2,
  /** Start of a future lesson (status 2). */
  coming: noon + day,
};

export interface TestTeam {
  id: number;
  students: number[];
}

/** Creates a class of type 3 (or 1) with an assistant and students who joined long ago. */
export async function addTeam(
  { database: { db }, people, courses }: TestSchool,
  {
    name = '团课一班',
    assistant = 'assist',
    lecturer = 'teacher',
    size = 3,
    classType = 3,
  }: { name?: string; assistant?: Name | null; lecturer?: Name; size?: number; classType?: 1 | 3 } = {},
): Promise<TestTeam> {
  const school = await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('class')
    .values({
      name,
      school_id: school.id,
      grade_id: null,
      classify_id: null,
      large_class_id: null,
      class_type: classType,
      created_at: noon - 100 * day,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('class_course').values({ class_id: id, course_id: courses.shared }).execute();
  if (assistant) {
    await db
      .insertInto('class_staff')
      .values({ class_id: id, staff_id: people[assistant].id, duty: 'assistant' })
      .execute();
  }
  if (classType === 3) {
    await db
      .insertInto('team_class')
      .values({
        class_id: id,
        subject_id: null,
        lecturer_id: people[lecturer].id,
        room_id: null,
        schedule: '每周六',
        start_time: noon - 90 * day,
        ended_at: null,
      })
      .execute();
  }
  const students: number[] = [];
  for (let number = 1; number <= size; number += 1) {
    const student = await db
      .insertInto('student')
      .values({
        nickname: `${name}学员${number}`,
        mobile: `139${String(id).padStart(4, '0')}${String(number).padStart(4, '0')}`,
        school_id: school.id,
        created_at: noon - 100 * day,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    students.push(student.id);
  }
  if (students.length > 0) {
    await db
      .insertInto('class_student')
      .values(students.map((student_id) => ({ class_id: id, student_id, joined_at: noon - 90 * day, left_at: null })))
      .execute();
  }
  return { id, students };
}

/** Creates a lesson of 90 minutes. */
export function addLesson(
  school: TestSchool,
  {
    team,
    lecturer = 'teacher',
    start = lessonTimes.coming,
    isCancelled = false,
    mode = 1,
  }: { team: TestTeam; lecturer?: Name; start?: number; isCancelled?: boolean; mode?: 1 | 2 },
): Promise<number> {
  return insertSession(school, {
    class_id: team.id,
    lecturer_id: school.people[lecturer].id,
    teaching_mode: mode,
    start_time: start,
    end_time: start + 1.5 * hour,
    cancelled_at: isCancelled ? noon - hour : null,
    created_at: noon - 30 * day,
  });
}
