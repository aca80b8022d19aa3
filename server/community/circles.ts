/** Lists, creates, changes, archives and restores circles that people join. Every change is recorded in the history. */

import { inClassOrder } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import {
  editConflict,
  mergeEdit,
  requireConfirmation,
  versionTokenOf,
} from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import { openSchoolsOf, schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import {
  type CircleFilter,
  type CircleRecord,
  type CircleRow,
  CompleteCircle,
  CompleteNewCircle,
  type EditedCircle,
  type NewCircle,
} from './circles.contract.ts';
import {
  circleArchiveFault,
  circleLossSentence,
  circleMessages,
  circleNameTakenMessage,
  circleRestoreFault,
  missingCircle,
} from './rules.ts';

type ReadContext = RuleContext<'actor'>;
type RequestContext = RuleContext<'actor' | 'now'>;

/** Circles of the schools that the administrator manages. */
export const adminCircles = ({ db, actor }: ReadContext) =>
  db
    .selectFrom('community_group')
    .where('community_group.group_type', '=', 2)
    .where('community_group.school_id', 'in', schoolsOf(db, actor));

const circleRows = (circles: ReturnType<typeof adminCircles>) =>
  circles
    .innerJoin('school', 'school.id', 'community_group.school_id')
    .select((eb) => [
      'community_group.id',
      'community_group.name',
      'community_group.introduction',
      'community_group.school_id',
      'school.org_name as school_name',
      'community_group.user_num as members',
      'community_group.post_num as posts',
      eb
        .case()
        .when('community_group.put_away_at', 'is', null)
        .then(0)
        .else(1)
        .end()
        .$castTo<0 | 1>()
        .as('is_put_away'),
      'community_group.created_at',
    ]);

/** Lists circles, newest first. */
export async function circlePage(context: ReadContext, filter: CircleFilter): Promise<Page<CircleRow>> {
  const { name, school_id, state } = filter;
  let matching = adminCircles(context);
  if (name !== undefined) matching = matching.where(nameContains('community_group.name', name));
  if (school_id !== undefined) matching = matching.where('community_group.school_id', '=', school_id);
  if (state) matching = matching.where('community_group.put_away_at', state === 'away' ? 'is not' : 'is', null);
  return pageOf(matching, filter, circleRows(matching).orderBy('community_group.id', 'desc'));
}

const circleRow = (context: ReadContext, id: number): Promise<CircleRow | undefined> =>
  circleRows(adminCircles(context)).where('community_group.id', '=', id).executeTakeFirst();

/** Returns one circle. 404: no such circle. */
export async function circleRecord(context: ReadContext, id: number): Promise<CircleRecord | Refusal> {
  const row = await circleRow(context, id);
  if (!row) return missing(missingCircle);
  const classes = await context.db
    .selectFrom('class')
    .select(['class.id', 'class.name', gradePlace])
    .select((eb) =>
      eb
        .selectFrom('class_student')
        .select((of) => of.fn.countAll<number>().as('people'))
        .whereRef('class_student.class_id', '=', 'class.id')
        .where('class_student.left_at', 'is', null)
        .as('people'),
    )
    .where('class.school_id', '=', row.school_id)
    .execute();
  return {
    ...row,
    loss: circleLossSentence(row) ?? '',
    classes: inClassOrder(classes).map(({ id: one, name, people }) => ({ id: one, name, people: people ?? 0 })),
    seen: versionTokenOf(editedCircle(row)),
  };
}

const editedCircle = ({ name, introduction }: Pick<CircleRow, 'name' | 'introduction'>) => ({ name, introduction });

/** Creates a circle. 422: by field. */
export async function createCircle(context: RequestContext, written: NewCircle): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const { output, errors } = validateComplete(CompleteNewCircle, written);
  if (!output) return invalid(errors);
  const open = await openSchoolsOf(db, actor).where('school.id', '=', output.school_id).execute();
  if (open.length === 0) return invalid({ school_id: [circleMessages.noSchool] });
  await withSchoolLock(db);
  const taken = await takenFault(context, output);
  if (taken) return taken;
  const { id } = await db
    .insertInto('community_group')
    .values({ ...output, group_type: 2, class_id: null, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCircleHistory(context, { id, action: 'add', before: null, after: output });
  return { id };
}

/** Changes a circle. 404: no such circle. 409: changed meanwhile. 422: by field. */
export async function updateCircle(
  context: RequestContext,
  id: number,
  written: EditedCircle,
): Promise<null | Refusal> {
  const { db } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const { output, errors } = validateComplete(CompleteCircle, written);
  if (!output) return invalid(errors);
  const before = editedCircle(circle);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'community_group', id, conflicts)) || '系统管理员',
      nameOf: { name: '圈子名称', introduction: '简介' },
      shown: (_, value) => String(value || '空'),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const taken = await takenFault(context, { ...merged, school_id: circle.school_id }, id);
  if (taken) return taken;
  await db.updateTable('community_group').set(merged).where('id', '=', id).execute();
  await recordCircleHistory(context, { id, action: 'edit', before: change.before, after: change.after });
  return null;
}

/** Archives a circle. 404: no such circle. 409: archived already, or the loss was not acknowledged. */
export async function archiveCircleOf(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, now } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const refusal =
    refuseFor('conflict', circleArchiveFault(circle)) ?? requireConfirmation(circleLossSentence(circle), acknowledged);
  if (refusal) return refusal;
  await db.updateTable('community_group').set({ put_away_at: now }).where('id', '=', id).execute();
  await recordCircleHistory(context, { id, action: 'put-away', before: { is_put_away: 0 }, after: { is_put_away: 1 } });
  return null;
}

/** Restores a circle. 404: no such circle. 409: not archived. */
export async function restoreCircleOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db } = context;
  const circle = await lockCircle(context, id);
  if (isRefusal(circle)) return circle;
  const refusal = refuseFor('conflict', circleRestoreFault(circle));
  if (refusal) return refusal;
  await db.updateTable('community_group').set({ put_away_at: null }).where('id', '=', id).execute();
  await recordCircleHistory(context, { id, action: 'restore', before: { is_put_away: 1 }, after: { is_put_away: 0 } });
  return null;
}

/** Locks a circle's row and list of members until the transaction ends. 404: no such circle. */
export async function lockCircle(context: RequestContext, id: number): Promise<CircleRow | Refusal> {
  const { db } = context;
  await withSchoolLock(db);
  await forUpdate(db)(db.selectFrom('community_group').select('id').where('id', '=', id)).execute();
  return (await circleRow(context, id)) ?? missing(missingCircle);
}

async function takenFault(
  { db }: RequestContext,
  { name, school_id }: { name: string; school_id: number },
  id = 0,
): Promise<Refusal | undefined> {
  const others = await db
    .selectFrom('community_group')
    .select(['id', 'name', 'put_away_at'])
    .where('group_type', '=', 2)
    .where('school_id', '=', school_id)
    .where('id', '!=', id)
    .execute();
  const same = others.find((other) => isSameName(other.name, name));
  return (
    same &&
    invalid({ name: [circleNameTakenMessage({ name: same.name, is_put_away: same.put_away_at === null ? 0 : 1 })] })
  );
}

export const recordCircleHistory = (
  { db, actor, now }: RequestContext,
  { id, ...change }: { id: number; action: string; before: object | null; after: object | null },
) => recordHistory(db, { actor, now, record: 'community_group', recordId: id, ...change });
