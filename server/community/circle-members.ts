/** Members of the circles that people join. Administrators add classes and people, and remove people. */
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { faultsText } from '#server/school/rules.ts';
import type { CircleMember, CircleMemberFilter, CircleRow } from './circles.contract.ts';
import { adminCircles, lockCircle, recordCircleHistory } from './circles.ts';
import {
  addedMembersLimit,
  addedMembersSentence,
  ambiguousPersonMessage,
  circleMessages,
  missingCircle,
  missingMember,
  unknownPersonMessage,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

interface Person {
  user_type: 1 | 2 | 3;
  id: number;
}

const typeOf = { teacher: 2, assist: 3 } as const;

/** Lists members, staff first. */
export async function memberPage(
  context: RuleContext<'actor'>,
  id: number,
  filter: CircleMemberFilter,
): Promise<Page<CircleMember> | Refusal> {
  const { name, user_type } = filter;
  const found = await adminCircles(context)
    .select('community_group.id')
    .where('community_group.id', '=', id)
    .executeTakeFirst();
  if (!found) return missing(missingCircle);
  let matching = context.db
    .selectFrom('community_member')
    .leftJoin('student', 'student.id', 'community_member.student_id')
    .leftJoin('staff', 'staff.id', 'community_member.staff_id')
    .where('community_member.group_id', '=', id);
  if (user_type !== undefined) matching = matching.where('community_member.user_type', '=', user_type);
  if (name !== undefined)
    matching = matching.where((eb) =>
      eb.or([
        nameContains('student.nickname', name),
        containsText('student.mobile', name),
        nameContains('staff.real_name', name),
        containsText('staff.mobile', name),
      ]),
    );
  const rows = matching
    .select([
      'community_member.user_type',
      'community_member.student_id',
      'community_member.staff_id',
      'community_member.joined_at',
      'student.nickname',
      'student.mobile as student_mobile',
      'staff.real_name',
      'staff.mobile as staff_mobile',
    ])
    .orderBy((eb) => eb.case().when('community_member.user_type', '=', 1).then(1).else(0).end())
    .orderBy('community_member.id', 'desc');
  const { list, ...range } = await pageOf(matching, filter, rows);
  return {
    list: list.map((row) => ({
      user_type: row.user_type,
      person_id: row.student_id ?? row.staff_id ?? 0,
      name: row.nickname ?? row.real_name ?? '',
      mobile: row.student_mobile ?? row.staff_mobile ?? '',
      joined_at: row.joined_at,
    })),
    ...range,
  };
}

type Outcome = AnswerWithMessage<{ added: number; known: number }> | Refusal;

/** Adds all members of a class to a circle. 404: no such circle. 422: not a class of the circle's school. */
export async function addClass(context: RequestContext, id: number, classId: number | undefined): Promise<Outcome> {
  const { db } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const found = await db
    .selectFrom('class')
    .select('id')
    .where('id', '=', classId ?? 0)
    .where('school_id', '=', circle.school_id)
    .executeTakeFirst();
  if (!found) return invalid({ class_id: [circleMessages.noClass] });
  const students = await db
    .selectFrom('class_student')
    .select('student_id as id')
    .where('class_id', '=', found.id)
    .where('left_at', 'is', null)
    .execute();
  const staff = await db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['staff.id', 'staff.identity'])
    .distinct()
    .where('class_staff.class_id', '=', found.id)
    .where('staff.disabled_at', 'is', null)
    .where('staff.identity', '!=', 'admin')
    .execute();
  return join(context, circle, [
    ...staff.map(
      (one): Person => ({ user_type: one.identity === 'assist' ? typeOf.assist : typeOf.teacher, id: one.id }),
    ),
    ...students.map((one): Person => ({ user_type: 1, id: one.id })),
  ]);
}

/**
 * Adds one person per line of `text`. 404: no such circle. 422: names the first line that matches nobody, or several
 * people.
 */
export async function addPeople(context: RequestContext, id: number, text: string): Promise<Outcome> {
  const { db } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, index) => ({ said: line.replace(/\s+/g, ' ').trim(), number: index + 1 }))
    .filter(({ said }) => said !== '');
  if (lines.length === 0) return invalid({ lines: [circleMessages.nobody] });
  if (lines.length > addedMembersLimit) return invalid({ lines: [circleMessages.tooMany] });
  const words = [...new Set(lines.map(({ said }) => said))];
  const students = await db
    .selectFrom('student')
    .select(['id', 'nickname as name', 'mobile'])
    .where('school_id', '=', circle.school_id)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('nickname', 'in', words), eb('mobile', 'in', words)]))
    .execute();
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'identity', 'real_name as name', 'mobile', 'username'])
    .where('school_id', '=', circle.school_id)
    .where('identity', '!=', 'admin')
    .where('disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('real_name', 'in', words),
        eb('mobile', 'in', words),
        eb(
          'username',
          'in',
          words.map((word) => word.toLowerCase()),
        ),
      ]),
    )
    .execute();
  const people: Person[] = [];
  const faults: string[] = [];
  for (const { said, number } of lines) {
    const isMeant = (one: { name: string; mobile: string; username?: string }) =>
      one.mobile === said || isSameName(one.name, said) || one.username === said.toLowerCase();
    const meant = [
      ...students.filter(isMeant).map((one): Person => ({ user_type: 1, id: one.id })),
      ...staff
        .filter(isMeant)
        .map((one): Person => ({ user_type: one.identity === 'assist' ? typeOf.assist : typeOf.teacher, id: one.id })),
    ];
    const [person] = meant;
    if (!person) faults.push(unknownPersonMessage(number, said));
    else if (meant.length > 1) faults.push(ambiguousPersonMessage(number, said, meant.length));
    else people.push(person);
  }
  if (faults.length > 0) return invalid({ lines: [faultsText(faults)] });
  return join(context, circle, people);
}

async function join(context: RequestContext, circle: CircleRow, people: readonly Person[]): Promise<Outcome> {
  const { db, now } = context;
  const present = await db
    .selectFrom('community_member')
    .select(['student_id', 'staff_id'])
    .where('group_id', '=', circle.id)
    .execute();
  const keyOf = (isStudent: boolean, id: number | null) => `${isStudent ? 'student' : 'staff'} ${id}`;
  const there = new Set(present.map((one) => keyOf(one.student_id !== null, one.student_id ?? one.staff_id)));
  const joining = people.filter(({ user_type, id }) => {
    const key = keyOf(user_type === 1, id);
    if (there.has(key)) return false;
    there.add(key);
    return true;
  });
  const rows = joining.map(({ user_type, id }) => ({
    group_id: circle.id,
    user_type,
    student_id: user_type === 1 ? id : null,
    staff_id: user_type === 1 ? null : id,
    joined_at: now,
  }));
  for (let at = 0; at < rows.length; at += 200)
    await db
      .insertInto('community_member')
      .values(rows.slice(at, at + 200))
      .execute();
  const known = people.length - joining.length;
  if (joining.length > 0) {
    await recount(context, circle.id);
    const ids = (isStudent: boolean) =>
      joining.filter((one) => (one.user_type === 1) === isStudent).map(({ id }) => id);
    const after = { student_ids: ids(true), staff_ids: ids(false) };
    await recordCircleHistory(context, { id: circle.id, action: 'join', before: null, after });
  }
  return new AnswerWithMessage({ added: joining.length, known }, { msg: addedMembersSentence(joining.length, known) });
}

/** Removes members of a circle. 404: no such circle, or one of them is not a member. */
export async function removeMembers(
  context: RequestContext,
  id: number,
  { student_ids, staff_ids }: { student_ids: number[]; staff_ids: number[] },
): Promise<{ count: number } | Refusal> {
  const { db } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const of = (kind: 'student_id' | 'staff_id', ids: number[]) =>
    ids.length === 0
      ? []
      : db
          .deleteFrom('community_member')
          .where('group_id', '=', id)
          .where(kind, 'in', ids)
          .returning('community_member.id')
          .execute();
  const gone = [...(await of('student_id', student_ids)), ...(await of('staff_id', staff_ids))];
  if (gone.length === 0 || gone.length < student_ids.length + staff_ids.length) return missing(missingMember);
  await recount(context, id);
  await recordCircleHistory(context, { id, action: 'remove', before: { student_ids, staff_ids }, after: null });
  return { count: gone.length };
}

async function recount({ db }: RequestContext, id: number): Promise<void> {
  await db
    .updateTable('community_group')
    .set((eb) => ({
      user_num: eb
        .selectFrom('community_member')
        .select((of) => of.fn.countAll<number>().as('members'))
        .where('community_member.group_id', '=', id),
    }))
    .where('id', '=', id)
    .execute();
}
