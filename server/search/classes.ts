/** Searches students, classes and courses by name, within the classes that the actor sees. */
import { type SqlBool, sql } from 'kysely';
import { visibleClasses } from '#server/classes/visible.ts';
import { teamClassesOf } from '#server/group-classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { findPinyinMatch, pinyinLetters } from '#server/platform/text/pinyin.ts';
import type { FoundClass, FoundCourse, FoundStudent } from './contract.ts';

/** Selects the ids of classes that have a page for the actor, including the group classes of an assistant. */
function classesSeen(db: Database, actor: Actor) {
  const classes = visibleClasses(db, actor).select('class.id');
  return actor.identity === 'assist' ? classes.union(teamClassesOf(db, actor).select('class.id')) : classes;
}

/** Searches students who are in a class: by name, pinyin, student number, mobile number or its last four digits. */
export async function searchStudents(
  db: Database,
  actor: Actor,
  text: string,
  paging: Paging,
): Promise<Page<FoundStudent>> {
  const letters = pinyinLetters(text);
  const digits = /^\d{1,11}$/.test(text) ? text : undefined;
  const rows = await db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .select(['class_student.id', 'class_student.class_id', 'class.class_type', 'class.name as class_name'])
    .select(['student.id as uid', 'student.nickname', 'student.mobile', 'student.pinyin'])
    .where('class_student.class_id', 'in', classesSeen(db, actor))
    .where('class_student.left_at', 'is', null)
    .where((eb) =>
      eb.or([
        nameContains('student.nickname', text),
        ...(letters ? [sql<SqlBool>`student.pinyin like ${`%${letters[0]}%`}`] : []),
        ...(digits ? [eb('student.id', '=', Number(digits))] : []),
        ...(digits && digits.length >= 4 ? [sql<SqlBool>`student.mobile like ${`%${digits}`}`] : []),
      ]),
    )
    .orderBy('student.id')
    .orderBy('class_student.id')
    .execute();
  const found = new Map<number, FoundStudent>();
  const lower = text.toLowerCase();
  for (const { pinyin, ...row } of rows) {
    const known = found.get(row.uid);
    if (known) {
      known.more_classes += 1;
      continue;
    }
    const isNamed = row.nickname.toLowerCase().includes(lower);
    const spelled = letters && !isNamed ? findPinyinMatch(pinyin, letters) : undefined;
    if (letters && !isNamed && !spelled) continue;
    found.set(row.uid, { ...row, spelled: spelled ?? null, more_classes: 0 });
  }
  // Sorts names that begin with the text first.
  const begins = ({ nickname, spelled }: FoundStudent) =>
    spelled?.[0] === 0 || nickname.toLowerCase().startsWith(lower);
  const inOrder = [...found.values()].toSorted((one, other) => Number(begins(other)) - Number(begins(one)));
  return pageOf(inOrder.length, paging, ({ limit, offset }) => inOrder.slice(offset, offset + limit));
}

export const searchClasses = (db: Database, actor: Actor, text: string, paging: Paging): Promise<Page<FoundClass>> =>
  pageByName(
    db.selectFrom('class').where('class.id', 'in', classesSeen(db, actor)),
    { name: 'class.name', pinyin: 'class.pinyin' },
    text,
    paging,
    (classes) =>
      classes
        .select(['class.id', 'class.name', 'class.pinyin', 'class.class_type'])
        .select((eb) =>
          eb
            .selectFrom('class_student')
            .select((count) => count.fn.countAll<number>().as('n'))
            .whereRef('class_student.class_id', '=', 'class.id')
            .where('class_student.left_at', 'is', null)
            .$asScalar()
            .$notNull()
            .as('students'),
        )
        .orderBy('class.id', 'desc'),
    ({ name }) => name,
  );

/** Searches the courses of the classes that the actor sees. */
export async function searchCourses(
  db: Database,
  actor: Actor,
  text: string,
  paging: Paging,
): Promise<Page<FoundCourse>> {
  const taken = db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .where('class_course.class_id', 'in', visibleClasses(db, actor).select('class.id'))
    .select(['course.id', 'course.title', 'course.pinyin', 'course.course_type'])
    .select((eb) => [eb.fn.min<number>('class_course.class_id').as('class_id'), eb.fn.countAll<number>().as('classes')])
    .groupBy(['course.id', 'course.title', 'course.pinyin', 'course.course_type']);
  const { list, ...range } = await pageByName(
    db.selectFrom(taken.as('taken')),
    { name: 'taken.title', pinyin: 'taken.pinyin' },
    text,
    paging,
    (found) =>
      found
        .innerJoin('class', 'class.id', 'taken.class_id')
        .select(['taken.id', 'taken.title', 'taken.pinyin', 'taken.course_type', 'taken.class_id'])
        .select(['class.name as class_name', 'taken.classes'])
        .orderBy('taken.id', 'desc'),
    ({ title }) => title,
  );
  return { list: list.map(({ classes, ...row }) => ({ ...row, more_classes: classes - 1 })), ...range };
}
