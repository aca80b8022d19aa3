/** Calendar entries of periods, with the classes and groups that take them. */

import { sql } from 'kysely';
import { classTypes } from '#server/classes/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import type { CalendarCourse, ClassGroup } from './contract.ts';
import { liveStatus } from './entry.ts';
import { emptyEntry, withEntryPoint } from './entry-fields.ts';
import {
  type CalendarOf,
  type CalendarOwner,
  type EntrySelection,
  isBetween,
  type StatementValues,
  statementValues,
  tablesOf,
} from './entry-query.ts';
import { groupsOf } from './visible.ts';

export async function periodEntries(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await periodRows(db, statementValues(of, which), of.actor.identity);
  if (rows.length === 0) return [];
  const courseIds = [...new Set(rows.map(({ course_basis_id }) => course_basis_id))];
  const { classNames, groups } = await classesAndGroups(db, of, courseIds);
  const { identity, id: actorId } = of.actor;
  return rows.map(({ lecturer_id, total_time, chapter_id, ...row }) => {
    const end_play = row.start_play + total_time;
    const isTheirs = identity === 'assist' || lecturer_id === actorId;
    return withEntryPoint(of.actor, isTheirs, {
      ...emptyEntry,
      ...row,
      kind: 'period',
      nickname: row.nickname ?? '',
      class_name: shortenNames(classNames.get(row.course_basis_id) ?? []),
      end_play,
      live_status: liveStatus(row.start_play, end_play, now),
      class_list: groups.get(row.course_basis_id) ?? [],
      course_chapter_id: chapter_id ?? 0,
    });
  });
}

const periodRows = prepared((db, at: Placeholders<StatementValues>, identity: Identity) => {
  const [periods] = tablesOf(db, at, identity);
  const matching = periods
    .innerJoin('course', 'course.id', 'period.course_id')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .select([
      'period.id',
      'period.title as period_title',
      'period.periods_type',
      'period.lecturer_id',
      'period.start_play',
      'period.total_time',
      'period.chapter_id',
      'period.advance_time',
      'period.student_code',
      'period.allow_enter',
      'period.is_playback',
      'period.periods_extend',
      'course.id as course_basis_id',
      'course.title as course_title',
      'course.course_type',
      'course.course_extend',
      'staff.real_name as nickname',
    ]);
  return matching.where((eb) => (at.id ? eb('period.id', '=', at.id) : isBetween('period.start_play', at)));
});

/**
 * Reads the class names and the groups of each course in one statement. Names: in a class calendar the class itself;
 * for an assistant their own classes; otherwise all classes. Groups: those whose rooms the actor may enter.
 */
async function classesAndGroups(db: Database, { actor, classId }: CalendarOf, courseIds: number[]) {
  const courses = JSON.stringify(courseIds);
  const found = await classesAndGroupRows(db, { actorId: actor.id, classId, courses }, actor.identity);
  const classNames = new Map<number, string[]>();
  const groups = new Map<number, ClassGroup[]>();
  for (const { course_id, kind, id, name } of found) {
    if (kind === 'class') {
      const names = classNames.get(course_id);
      if (names) names.push(name);
      else classNames.set(course_id, [name]);
      continue;
    }
    const group = { class_group_id: id, group_name: name, course_basis_id: course_id };
    const others = groups.get(course_id);
    if (others) others.push(group);
    else groups.set(course_id, [group]);
  }
  return { classNames, groups };
}

interface OwnerOfCourses extends CalendarOwner {
  courses: string;
}

const classesAndGroupRows = prepared((db, at: Placeholders<OwnerOfCourses>, identity: Identity) => {
  const viewer: Viewer = { id: at.actorId, identity };
  const among = inJsonIds(db, at.courses);
  let classes = db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select([
      'class_course.course_id',
      sql<'class' | 'group'>`'class'`.as('kind'),
      'class.id as id',
      'class.name as name',
    ])
    .where('class_course.course_id', 'in', among)
    .where('class.class_type', '=', classTypes.stateSchool);
  if (at.classId) classes = classes.where('class.id', '=', at.classId);
  else if (identity === 'assist') classes = classes.where('class.id', 'in', classesAssistedBy(db, viewer));
  return classes
    .unionAll(
      groupsOf(db, viewer)
        .select([
          'class_group.course_id',
          sql<'class' | 'group'>`'group'`.as('kind'),
          'class_group.id as id',
          'class_group.group_name as name',
        ])
        .where('class_group.course_id', 'in', among),
    )
    .orderBy('id');
});

const shortenNames = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join('、')}等${names.length}个班级` : names.join('、');
