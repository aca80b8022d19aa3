/** Lists the user's circles, and lets the user leave one. */

import { type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { Circle, OwnCircleFilter } from './contract.ts';
import { leaveFault } from './rules.ts';
import { type CommunityContext, circleNotFound, visibleCircles } from './visible.ts';

/** Lists circles that the user joined and circles of the user's classes, oldest first. */
export async function ownCirclePage(context: CommunityContext, { group_type, page, limit }: OwnCircleFilter) {
  let mine = visibleCircles(context);
  if (group_type !== undefined) mine = mine.where('community_group.group_type', '=', group_type);
  const { list: rows, ...range } = await pageOf(mine, { page, limit }, circleRows(mine).orderBy('community_group.id'));
  return { list: rows.map(toCircle), ...range };
}

/** Returns a circle that the user sees. 404: no such circle. */
export async function findVisibleCircle(context: CommunityContext, id: number): Promise<Circle | Refusal> {
  const row = await circleRows(visibleCircles(context)).where('community_group.id', '=', id).executeTakeFirst();
  return row ? toCircle(row) : circleNotFound();
}

const circleRows = (circles: ReturnType<typeof visibleCircles>) =>
  circles
    .leftJoin('class', 'class.id', 'community_group.class_id')
    .select([
      'community_group.id',
      'community_group.name',
      'community_group.image',
      'community_group.introduction',
      'community_group.group_type',
      'community_group.class_id',
      'community_group.post_num',
      'community_group.user_num',
      'class.name as class_name',
    ])
    .select((eb) => [
      // The members of a class's circle are the members of the class, so they are counted there.
      eb
        .selectFrom('class_student')
        .select((count) => count.fn.countAll<number>().as('students'))
        .whereRef('class_student.class_id', '=', 'community_group.class_id')
        .where('class_student.left_at', 'is', null)
        .as('students'),
      eb
        .selectFrom('class_staff')
        .select((count) => count.fn.count<number>('class_staff.staff_id').distinct().as('staff'))
        .whereRef('class_staff.class_id', '=', 'community_group.class_id')
        .as('staff'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof circleRows>['executeTakeFirstOrThrow']>>;

function toCircle(row: Row): Circle {
  const isCircle = row.group_type === 1;
  return {
    id: row.id,
    group_type: row.group_type,
    class_id: row.class_id ?? 0,
    post_num: row.post_num,
    // A class's circle always shows the current name of the class.
    name: row.class_name ?? row.name,
    image: row.image,
    introduction: row.introduction,
    user_num: isCircle ? (row.students ?? 0) + (row.staff ?? 0) : row.user_num,
    is_can_leave: isCircle ? 0 : 1,
  };
}

/** Leaves a circle. 404: not a member. 409: it is the circle of a class. */
export async function leaveCircleOf(context: CommunityContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const circle = await forUpdate(db)(
    visibleCircles(context)
      .select(['community_group.id', 'community_group.group_type', 'community_group.user_num'])
      .where('community_group.id', '=', id),
  ).executeTakeFirst();
  if (!circle) return circleNotFound();
  const refusal = refuseFor('conflict', leaveFault(circle));
  if (refusal) return refusal;
  await db.deleteFrom('community_member').where('group_id', '=', id).where('staff_id', '=', actor.id).execute();
  await db
    .updateTable('community_group')
    .set({ user_num: circle.user_num - 1 })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'community_group',
    recordId: id,
    action: 'leave',
    before: { user_num: circle.user_num },
    after: { user_num: circle.user_num - 1 },
  });
  return null;
}
