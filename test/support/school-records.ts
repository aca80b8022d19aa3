/** Records of the test school. Some belong to the person of a test, some to other people, some to nobody. */
import type { Identity } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** 2026-11-20 12:00 in Shanghai, in unix seconds. */
export const noon = 1_795_147_200;
export const day = 24 * 60 * 60;

export interface Person {
  id: number;
  identity: Identity;
  token: string;
}

export interface SchoolRecords {
  people: Record<'teacher' | 'otherTeacher' | 'plainTeacher' | 'assist' | 'otherAssist' | 'admin', Person>;
  courses: { shared: number; theirs: number };
  periods: { mine: number; theirsInShared: number; theirs: number };
  /** Class ids. The assistant looks after k1 and k2, the other assistant after k3, nobody after k4. */
  classes: { k1: number; k2: number; k3: number; k4: number };
  /** Student ids by class. The first student of k1 is also in k3, and the last of k1 has left. */
  students: Record<'k1' | 'k2' | 'k3' | 'k4', number[]>;
}

const idOf = async (inserted: Promise<{ id: number }>): Promise<number> => (await inserted).id;

/** Inserts the records into a migrated, empty database. */
export async function layRecords(db: Database, now: number): Promise<SchoolRecords> {
  const schoolId = await idOf(
    db.insertInto('school').values({ org_name: '总校' }).returning('id').executeTakeFirstOrThrow(),
  );
  for (const table of ['classify', 'grade', 'subject'] as const) {
    await db
      .insertInto(table)
      .values([
        { name: `${table}甲`, sort: 2 },
        { name: `${table}乙`, sort: 1 },
      ] as never)
      .execute();
  }
  const people = await layPeople(db, schoolId, now);
  const { courses, periods } = await layCourses(db, schoolId, people);
  const [k1, k2, k3, k4] = await layClasses(db, schoolId, [courses.shared, courses.theirs]);
  await db
    .insertInto('class_student')
    .values({ class_id: k3.id, student_id: k1.students[0] as number, joined_at: noon, left_at: null })
    .execute();
  await db
    .updateTable('class_student')
    .set({ left_at: noon })
    .where('student_id', '=', k1.students.at(-1) as number)
    .execute();
  await db
    .insertInto('class_staff')
    .values([
      { class_id: k1.id, staff_id: people.assist.id, duty: 'assistant' },
      { class_id: k2.id, staff_id: people.assist.id, duty: 'assistant' },
      { class_id: k3.id, staff_id: people.otherAssist.id, duty: 'assistant' },
    ])
    .execute();
  return {
    people,
    courses,
    periods,
    classes: { k1: k1.id, k2: k2.id, k3: k3.id, k4: k4.id },
    students: { k1: k1.students, k2: k2.students, k3: k3.students, k4: k4.students },
  };
}

/** Permissions of an administrator of all schools. */
const everything = {
  every_school: 1,
  can_people: 1,
  can_teaching: 1,
  can_exams: 1,
  can_settings: 1,
  can_audit: 1,
} as const;

async function layPeople(db: Database, schoolId: number, now: number): Promise<SchoolRecords['people']> {
  const person = async (identity: Identity, username: string, permitted: 0 | 1): Promise<Person> => {
    const staffId = await idOf(
      db
        .insertInto('staff')
        .values({
          identity,
          username,
          password_hash: 'none',
          real_name: `姓名${username}`,
          school_id: schoolId,
          can_dispatch: permitted,
          can_correct: permitted,
          ...(identity === 'admin' && everything),
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    const token = await issueToken(db, staffId, { device: 'test', address: '127.0.0.1', now });
    return { id: staffId, identity, token };
  };
  return {
    teacher: await person('teacher', 'teacher', 1),
    otherTeacher: await person('teacher', 'teacher2', 1),
    plainTeacher: await person('teacher', 'teacher3', 0),
    assist: await person('assist', 'assist', 1),
    otherAssist: await person('assist', 'assist2', 1),
    admin: await person('admin', 'admin', 0),
  };
}

async function layCourses(
  db: Database,
  schoolId: number,
  people: SchoolRecords['people'],
): Promise<Pick<SchoolRecords, 'courses' | 'periods'>> {
  const course = (title: string) =>
    idOf(
      db
        .insertInto('course')
        .values({
          title,
          parent_id: null,
          school_id: schoolId,
          classify_id: null,
          grade_id: null,
          subject_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const courses = { shared: await course('高一数学'), theirs: await course('高一物理') };
  const period = (courseId: number, title: string, lecturer: Person) =>
    idOf(
      db
        .insertInto('period')
        .values({ course_id: courseId, title, lecturer_id: lecturer.id, chapter_id: null, start_play: noon })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const periods = {
    mine: await period(courses.shared, '第一讲 集合', people.teacher),
    theirsInShared: await period(courses.shared, '第二讲 函数', people.otherTeacher),
    theirs: await period(courses.theirs, '第一讲 运动', people.otherTeacher),
  };
  return { courses, periods };
}

interface LaidClass {
  id: number;
  students: number[];
}

/** Creates four classes of three to six students. */
async function layClasses(
  db: Database,
  schoolId: number,
  courses: number[],
): Promise<[LaidClass, LaidClass, LaidClass, LaidClass]> {
  const lay = async (name: string, index: number): Promise<LaidClass> => {
    const classId = await idOf(
      db
        .insertInto('class')
        .values({
          name,
          school_id: schoolId,
          grade_id: null,
          classify_id: null,
          large_class_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await db
      .insertInto('class_course')
      .values(courses.map((course_id) => ({ class_id: classId, course_id })))
      .execute();
    const students: number[] = [];
    for (let number = 1; number <= 3 + index; number += 1) {
      const student = db
        .insertInto('student')
        .values({
          nickname: `学生${name}${number}`,
          mobile: `1380000${index}00${number}`,
          school_id: schoolId,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      students.push(await idOf(student));
    }
    await db
      .insertInto('class_student')
      .values(students.map((student_id) => ({ class_id: classId, student_id, joined_at: noon, left_at: null })))
      .execute();
    return { id: classId, students };
  };
  return [await lay('一班', 0), await lay('二班', 1), await lay('三班', 2), await lay('四班', 3)];
}
