/** Administrators' list of group and one-to-one classes. */

import { classRows, hasState, toClassFields } from '#server/classes/admin-list.ts';
import { classTypes } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import type { RuleContext } from '#server/school/context.ts';
import { lessonClassesTaughtBy, staffOnDuty } from '#server/school/staff-duties.ts';
import type { LessonClassFilter, LessonClassRow } from './admin.contract.ts';

export const lessonClasses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  adminClasses(db, actor).where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne]);

/** Lists group and one-to-one classes, newest first. */
export async function lessonClassPage(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  filter: LessonClassFilter,
): Promise<Page<LessonClassRow>> {
  let matching = lessonClasses(db, actor);
  const { class_type, school_id, lecturer_id, subject_id, state } = filter;
  if (class_type !== undefined) matching = matching.where('class.class_type', '=', class_type);
  if (school_id !== undefined) matching = matching.where('class.school_id', '=', school_id);
  if (lecturer_id !== undefined)
    matching = matching.where('class.id', 'in', lessonClassesTaughtBy(db, { id: lecturer_id }));
  if (subject_id !== undefined) {
    matching = matching.where('class.id', 'in', (eb) =>
      eb.selectFrom('team_class').select('team_class.class_id').where('team_class.subject_id', '=', subject_id),
    );
  }
  if (state !== undefined) matching = matching.where((eb) => hasState(eb, state, now));
  const inOrder = (classes: typeof matching) => lessonClassRows(classes, now).orderBy('class.id', 'desc');
  const { list, ...range } =
    filter.name === undefined
      ? await pageOf(matching, filter, inOrder(matching))
      : await pageByName(
          matching,
          { name: 'class.name', pinyin: 'class.pinyin' },
          filter.name,
          filter,
          (classes) => inOrder(classes as typeof matching).select('class.pinyin'),
          ({ name }) => name,
        );
  return { list: await withAssistants(db, list), ...range };
}

export const lessonClassRows = (classes: ReturnType<typeof lessonClasses>, now: number) =>
  classRows(classes, now)
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .leftJoin('staff', 'staff.id', 'team_class.lecturer_id')
    .leftJoin('subject', 'subject.id', 'team_class.subject_id')
    .leftJoin('room', 'room.id', 'team_class.room_id')
    .select([
      'team_class.lecturer_id',
      'staff.real_name as lecturer_name',
      'team_class.subject_id',
      'subject.name as subject_name',
      'team_class.room_id',
      'room.name as room_name',
      'team_class.teaching_mode',
      'team_class.sign_type',
      'team_class.schedule',
      'team_class.remarks',
      'team_class.start_time',
      'team_class.ended_at',
    ])
    .select((eb) => {
      const lessons = eb
        .selectFrom('class_session')
        .select((count) => count.fn.countAll<number>().as('lessons'))
        .whereRef('class_session.class_id', '=', 'class.id')
        .where('class_session.cancelled_at', 'is', null);
      return [
        lessons.where('class_session.end_time', '<=', now).as('lessons_held'),
        lessons.where('class_session.start_time', '>', now).as('lessons_left'),
        eb
          .selectFrom('class_student')
          .select((count) => count.fn.countAll<number>().as('students'))
          .whereRef('class_student.class_id', '=', 'class.id')
          .where('class_student.left_at', 'is', null)
          .as('students_count'),
        eb
          .selectFrom('class_course')
          .select((count) => count.fn.countAll<number>().as('courses'))
          .whereRef('class_course.class_id', '=', 'class.id')
          .as('courses_count'),
      ];
    });

type StoredClass = Awaited<ReturnType<ReturnType<typeof lessonClassRows>['execute']>>[number];

export async function withAssistants(db: Database, rows: readonly StoredClass[]): Promise<LessonClassRow[]> {
  const ids = rows.map(({ id }) => id);
  const assistants = await staffOnDuty(db, 'assistant', ids).execute();
  return rows.map((row) => {
    const { large_class_name: _, ...theClass } = toClassFields(row);
    return {
      ...theClass,
      assistants: assistants.filter(({ class_id }) => class_id === row.id).map(({ real_name }) => real_name),
      students_count: row.students_count ?? 0,
      courses_count: row.courses_count ?? 0,
      lecturer_id: row.lecturer_id ?? 0,
      lecturer_name: row.lecturer_name ?? '',
      subject_id: row.subject_id ?? 0,
      subject_name: row.subject_name ?? '',
      room_id: row.room_id ?? 0,
      room_name: row.room_name ?? '',
      teaching_mode: row.teaching_mode ?? 1,
      sign_type: row.sign_type ?? 1,
      schedule: row.schedule ?? '',
      remarks: row.remarks ?? '',
      // A class without a `team_class` row counts as begun when it was created.
      start_time: row.start_time ?? row.created_at,
      ended_at: row.ended_at,
      lessons_held: row.lessons_held ?? 0,
      lessons_left: row.lessons_left ?? 0,
    };
  });
}
