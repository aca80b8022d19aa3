/**
 * Reads the members of a class. Not part of classes/, because joining and leaving a class need homework, which itself
 * needs classes.
 */
import { inClassStatus, maxMembersAtOnce, memberMessages, missingClass } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import { openHomeworkOfClass } from '#server/homework/assign.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import { studentMatches } from '#server/school/student-search.ts';
import type { MemberFilter, MemberRow, Membership } from './contract.ts';
import { isClassOpen } from './rules.ts';

export type RequestContext = RuleContext<'actor' | 'now'>;

export const refuseMissingClass = () => missing(missingClass);

/** Selects a class of the user's schools. */
export const adminClass = (db: Database, actor: Actor, id: number) =>
  adminClasses(db, actor)
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .select(['class.id', 'class.name', 'class.class_type', 'class.valid_type', 'class.valid_time', 'class.school_id'])
    .select(['school.org_name as school_name', 'team_class.ended_at'])
    .where('class.id', '=', id);

/** Returns the header of the member list. 404: no such class. */
export async function showMembers({ db, actor, now }: RequestContext, id: number): Promise<Membership | Refusal> {
  const theClass = await adminClass(db, actor, id).executeTakeFirst();
  if (!theClass) return refuseMissingClass();
  const members = db.selectFrom('class_student').where('class_id', '=', id);
  const [present, all, open] = await Promise.all([
    countOf(members.where('left_at', 'is', null)),
    countOf(members),
    countOf(openHomeworkOfClass(db, id, now)),
  ]);
  const { name, school_name, class_type } = theClass;
  const is_running = isClassOpen(theClass, now);
  return { id, name, school_name, class_type, is_running, present, left: all - present, open_homework: open };
}

/** Lists current members, then former ones; within both, the latest to join comes first. 404: no such class. */
export async function memberPage(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
  filter: MemberFilter,
): Promise<Page<MemberRow> | Refusal> {
  if (!(await adminClass(db, actor, id).executeTakeFirst())) return refuseMissingClass();
  let matching = db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where('class_student.class_id', '=', id);
  if (filter.name) {
    const among = db
      .selectFrom('student')
      .where('student.id', 'in', db.selectFrom('class_student').select('student_id').where('class_id', '=', id));
    matching = matching.where(await studentMatches(among, filter.name));
  }
  if (filter.status !== undefined) {
    matching = matching.where('class_student.left_at', filter.status === inClassStatus ? 'is' : 'is not', null);
  }
  const { list, ...range } = await pageOf(
    matching,
    filter,
    matching
      .innerJoin('school', 'school.id', 'student.school_id')
      .select([
        'class_student.id',
        'class_student.student_id',
        'student.nickname',
        'student.number',
        'student.mobile',
        'school.org_name as school_name',
        'student.disabled_at',
        'class_student.joined_at',
        'class_student.left_at',
        'class_student.left_reason',
        'class_student.leaving_at',
      ])
      .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
      .orderBy('class_student.joined_at', 'desc')
      .orderBy('class_student.id'),
  );
  const rowOf = ({ disabled_at, ...row }: (typeof list)[number]): MemberRow => ({
    ...row,
    is_disabled: disabled_at === null ? 0 : 1,
  });
  return { list: list.map(rowOf), ...range };
}

export function refuseChosenCount(ids: readonly number[]): Refusal | undefined {
  if (ids.length === 0) return invalid({ ids: [memberMessages.nobody] });
  return ids.length > maxMembersAtOnce ? invalid({ ids: [memberMessages.tooMany] }) : undefined;
}
