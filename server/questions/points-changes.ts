/**
 * Changes that administrators make to knowledge points, each recorded in the history. Administrators of only some
 * schools get 403.
 */
import { everySchoolFault, mergeEffect, mergeMessages, sameChildMessage } from '#server/catalogue/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import {
  conflict,
  forbidden,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { countsText } from '#server/school/rules.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { parsePointLines } from './point-lines.ts';
import { CompletePoint, type EditedPoint, type NewPoint, type PointLines } from './points.contract.ts';
import {
  missingPoint,
  pointInUseFault,
  pointLevelsLimit,
  pointMessages,
  pointMovedMessage,
  pointNameTakenMessage,
} from './points.rules.ts';
import { ancestorsOf, editedPoint, type PointTree, pointRecord, readTree, type StoredPoint } from './points-list.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Adds a knowledge point. 403: administrator of some schools only. 422: errors by field. */
export async function createPoint(context: RequestContext, written: NewPoint): Promise<{ id: number } | Refusal> {
  const { db } = context;
  const tree = await heldTree(context);
  if (isRefusal(tree)) return tree;
  const { output, errors } = validateComplete(CompletePoint, written);
  if (!output) return invalid(errors);
  const place = await placeOf(db, tree, written);
  if (isRefusal(place)) return place;
  const taken = nameTakenFault(tree, place.parent, output.name);
  if (taken !== undefined) return invalid({ name: [taken] });
  return insertPoint(context, { ...output, ...place.columns, sort: sortAtEnd(tree, place.columns.parent_id) });
}

/** Adds many knowledge points. 403: administrator of some schools only. 422: errors by line. */
export async function createPoints(
  context: RequestContext,
  written: PointLines,
): Promise<AnswerWithMessage<{ added: number; known: number }> | Refusal> {
  const { db } = context;
  const tree = await heldTree(context);
  if (isRefusal(tree)) return tree;
  const place = await placeOf(db, tree, written);
  if (isRefusal(place)) return place;
  const { parent, columns } = place;
  const read = parsePointLines(written.lines, parent ? ancestorsOf(tree, parent).length + 1 : 0);
  if ('fault' in read) return invalid({ lines: [read.fault] });
  const ids: number[] = [];
  let sort = sortAtEnd(tree, columns.parent_id);
  let known = 0;
  for (const { name, parent: line } of read.points) {
    const parent_id = line === undefined ? columns.parent_id : (ids[line] as number);
    const there = tree.below.get(parent_id ?? 0)?.find((point) => isSameName(point.name, name));
    if (there) {
      known += 1;
      ids.push(there.id);
      continue;
    }
    const subject_id = line === undefined ? columns.subject_id : null;
    const { id } = await insertPoint(context, { name, parent_id, subject_id, sort });
    ids.push(id);
    sort += 1;
  }
  const added = read.points.length - known;
  return new AnswerWithMessage(
    { added, known },
    { msg: `添加了${added}个知识点${known > 0 ? `，${known}个已有` : ''}` },
  );
}

/**
 * Edits a knowledge point. 403: administrator of some schools only. 404: no such point. 422: errors by field. 409:
 * edited meanwhile.
 */
export async function updatePoint(context: RequestContext, id: number, written: EditedPoint): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldPoint(context, id);
  if (isRefusal(held)) return held;
  const { tree, point } = held;
  const { output, errors } = validateComplete(CompletePoint, written);
  if (!output) return invalid(errors);
  const before = editedPoint(point);
  const subject_id = point.parent_id === null ? (written.subject_id ?? 0) : 0;
  const { merged, conflicts, both } = mergeEdit(written.seen, before, { ...output, subject_id });
  const subjects = await db.selectFrom('subject').select(['id', 'name']).execute();
  const named = (value: unknown) => subjects.find((subject) => subject.id === value)?.name;
  if (merged.subject_id !== 0 && named(merged.subject_id) === undefined)
    return invalid({ subject_id: [pointMessages.noSubject] });
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'knowledge_point', id, conflicts)) || '系统管理员',
      nameOf: { name: '名称', subject_id: '科目' },
      shown: (field, value) => (field === 'subject_id' ? (named(value) ?? '无') : String(value)),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const parent = tree.byId.get(point.parent_id ?? 0);
  const taken = change.names.includes('name') ? nameTakenFault(tree, parent, merged.name, id) : undefined;
  if (taken !== undefined) return invalid({ name: [taken] });
  const kept = { name: merged.name, subject_id: merged.subject_id || null };
  await db.updateTable('knowledge_point').set(kept).where('id', '=', id).execute();
  await note(context, { id, action: 'edit', before: change.before, after: change.after });
  return null;
}

/**
 * Moves a knowledge point below another one. 403: administrator of some schools only. 404: no such point. 409: moved
 * meanwhile, already there, below itself, too deep, or beside a point of the same name.
 */
export async function movePointTo(
  context: RequestContext,
  id: number,
  { parent_id, from_id }: { parent_id: number | undefined; from_id: number | undefined },
): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldPoint(context, id);
  if (isRefusal(held)) return held;
  const { tree, point } = held;
  const parent = parent_id === undefined ? undefined : tree.byId.get(parent_id);
  if (parent_id !== undefined && !parent) return invalid({ parent_id: [pointMessages.noParent] });
  const from = point.parent_id ?? 0;
  if (from_id !== undefined && from_id !== from) {
    const by = (await lastChangedBy(db, 'knowledge_point', id, ['parent_id'])) || '系统管理员';
    return conflict(pointMovedMessage(by, tree.byId.get(from)?.name ?? ''), { from_id: from });
  }
  const refusal = refuseFor('conflict', placeFault(tree, point, parent));
  if (refusal) return refusal;
  // Only top points have a subject of their own; below another point, the subject of its top point applies.
  const [top = point] = ancestorsOf(tree, point);
  const moved = {
    parent_id: parent?.id ?? null,
    subject_id: parent ? null : top.subject_id,
    sort: sortAtEnd(tree, parent?.id ?? null),
  };
  await db.updateTable('knowledge_point').set(moved).where('id', '=', id).execute();
  await note(context, { id, action: 'move', before: { parent_id: from }, after: { parent_id: parent?.id ?? 0 } });
  return null;
}

/**
 * Swaps a knowledge point with its neighbour. 403: administrator of some schools only. 404: no such point. 409: no
 * neighbour on that side.
 */
export async function swapPoint(
  context: RequestContext,
  id: number,
  direction: 'up' | 'down',
): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldPoint(context, id);
  if (isRefusal(held)) return held;
  const { tree, point } = held;
  const level = tree.below.get(point.parent_id ?? 0) ?? [];
  const at = level.indexOf(point);
  const to = direction === 'up' ? at - 1 : at + 1;
  const refusal = refuseFor('conflict', level[to] ? undefined : direction === 'up' ? '已是第一个' : '已是最后一个');
  if (refusal) return refusal;
  const ordered = level.filter((one) => one.id !== id);
  ordered.splice(to, 0, point);
  for (const [index, one] of ordered.entries()) {
    if (one.sort === index + 1) continue;
    await db
      .updateTable('knowledge_point')
      .set({ sort: index + 1 })
      .where('id', '=', one.id)
      .execute();
  }
  await note(context, { id, action: 'order', before: { place: at + 1 }, after: { place: to + 1 } });
  return null;
}

/**
 * Deletes a knowledge point. 403: administrator of some schools only. 404: no such point. 409: it has questions or
 * children.
 */
export async function removePoint(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldPoint(context, id);
  if (isRefusal(held)) return held;
  const record = await pointRecord(db, id);
  if (isRefusal(record)) return record;
  const refusal = refuseFor('conflict', pointInUseFault(usesText(record)));
  if (refusal) return refusal;
  await db.deleteFrom('knowledge_point').where('id', '=', id).execute();
  const { name, parent_id, subject_id } = held.point;
  await note(context, { id, action: 'delete', before: { name, parent_id, subject_id }, after: null });
  return null;
}

/**
 * Merges a knowledge point into another one. 403: administrator of some schools only. 404: no such point. 422: target
 * missing. 409: too deep, names clash, or the effect was not acknowledged.
 */
export async function mergePoints(
  context: RequestContext,
  id: number,
  { into_id, acknowledged }: { into_id?: number | undefined; acknowledged: string },
): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldPoint(context, id);
  if (isRefusal(held)) return held;
  const { tree, point } = held;
  const into = into_id === undefined ? undefined : tree.byId.get(into_id);
  if (!into) return invalid({ into_id: [mergeMessages.none] });
  if (into.id === id || ancestorsOf(tree, into).some((one) => one.id === id))
    return invalid({ into_id: [mergeMessages.itself] });
  const record = await pointRecord(db, id);
  if (isRefusal(record)) return record;
  const below = tree.below.get(id) ?? [];
  const there = tree.below.get(into.id) ?? [];
  const twice = below.find((one) => there.some((other) => other.id !== id && isSameName(other.name, one.name)));
  const isDeep =
    ancestorsOf(tree, into).length + Math.max(0, ...below.map((one) => levelsOf(tree, one))) >= pointLevelsLimit;
  const uses = usesText(record);
  const refusal =
    refuseFor('conflict', twice && sameChildMessage(twice.name)) ??
    refuseFor('conflict', isDeep ? pointMessages.tooDeep : undefined) ??
    requireConfirmation(mergeEffect({ name: point.name, uses }, into.name), acknowledged);
  if (refusal) return refusal;
  await db.updateTable('knowledge_point').set({ parent_id: into.id }).where('parent_id', '=', id).execute();
  await db.updateTable('question').set({ point_id: into.id }).where('point_id', '=', id).execute();
  await db.deleteFrom('knowledge_point').where('id', '=', id).execute();
  const { name } = point;
  await note(context, { id, action: 'merge', before: { name }, after: { merged_into: into.name, records: uses } });
  await note(context, { id: into.id, action: 'merge', before: null, after: { merged: name, records: uses } });
  return null;
}

const usesText = (record: { children: number; questions: number }): string =>
  countsText([
    [record.children, '个下级'],
    [record.questions, '道题目'],
  ]);

/** Returns how many levels a point and the points below it have. */
const levelsOf = (tree: PointTree, point: StoredPoint): number =>
  1 + Math.max(0, ...(tree.below.get(point.id) ?? []).map((one) => levelsOf(tree, one)));

/** Loads the tree and locks it until the transaction ends. 403: administrator of some schools only. */
async function heldTree({ db, actor }: RequestContext): Promise<PointTree | Refusal> {
  const fault = everySchoolFault(actor);
  if (fault !== undefined) return forbidden(fault);
  await withSchoolLock(db);
  return readTree(db);
}

async function heldPoint(
  context: RequestContext,
  id: number,
): Promise<{ tree: PointTree; point: StoredPoint } | Refusal> {
  const tree = await heldTree(context);
  if (isRefusal(tree)) return tree;
  const point = tree.byId.get(id);
  return point ? { tree, point } : missing(missingPoint);
}

/** Returns where a new point goes: below another point, or at the top of a subject. */
async function placeOf(
  db: Database,
  tree: PointTree,
  { parent_id, subject_id }: Pick<NewPoint, 'parent_id' | 'subject_id'>,
) {
  const parent = parent_id === undefined ? undefined : tree.byId.get(parent_id);
  if (parent_id !== undefined && !parent) return invalid({ parent_id: [pointMessages.noParent] });
  if (parent) {
    if (ancestorsOf(tree, parent).length + 1 >= pointLevelsLimit)
      return invalid({ parent_id: [pointMessages.tooDeep] });
    return { parent, columns: { parent_id: parent.id, subject_id: null } };
  }
  if (subject_id !== undefined) {
    const subject = await db.selectFrom('subject').select('id').where('id', '=', subject_id).executeTakeFirst();
    if (!subject) return invalid({ subject_id: [pointMessages.noSubject] });
  }
  return { parent, columns: { parent_id: null, subject_id: subject_id ?? null } };
}

function placeFault(tree: PointTree, point: StoredPoint, parent: StoredPoint | undefined): string | undefined {
  if ((parent?.id ?? null) === point.parent_id) return pointMessages.sameParent;
  if (parent && (parent.id === point.id || ancestorsOf(tree, parent).some(({ id }) => id === point.id)))
    return pointMessages.ownParent;
  if (parent && ancestorsOf(tree, parent).length + 1 + levelsOf(tree, point) > pointLevelsLimit)
    return pointMessages.tooDeep;
  return nameTakenFault(tree, parent, point.name, point.id);
}

function nameTakenFault(tree: PointTree, parent: StoredPoint | undefined, name: string, id = 0): string | undefined {
  const same = tree.below.get(parent?.id ?? 0)?.find((point) => point.id !== id && isSameName(point.name, name));
  return same && pointNameTakenMessage(same.name, parent?.name ?? '');
}

const sortAtEnd = ({ below }: PointTree, parentId: number | null): number =>
  Math.max(0, ...(below.get(parentId ?? 0) ?? []).map(({ sort }) => sort)) + 1;

async function insertPoint(context: RequestContext, point: Omit<StoredPoint, 'id'>): Promise<{ id: number }> {
  const added = await context.db.insertInto('knowledge_point').values(point).returning('id').executeTakeFirstOrThrow();
  const { sort: _, ...after } = point;
  await note(context, { id: added.id, action: 'add', before: null, after });
  return added;
}

const note = (
  { db, actor, now }: RequestContext,
  { id, ...change }: { id: number; action: string; before: object | null; after: object | null },
) => recordHistory(db, { actor, now, record: 'knowledge_point', recordId: id, ...change });
