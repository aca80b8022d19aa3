/** Changes of catalogue entries by administrators; each is recorded in the history. */

import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { forbidden, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { CompleteEntry, CompleteTerm, type EditedEntry, type NewEntry } from './contract.ts';
import {
  changedSorts,
  type Entry,
  type EntryWithDepth,
  isWithin,
  moveBehind,
  previousSibling,
  siblingsAt,
  sortTree,
} from './levels.ts';
import { type EditableEntry, editableEntry, visibleEntries } from './list.ts';
import { replaceReferences } from './references.ts';
import {
  alreadyAtEnd,
  archiveFault,
  type CatalogueKind,
  catalogueMessages,
  everySchoolFault,
  hasDays,
  hasLevels,
  inUseFault,
  isOfSchool,
  mergeEffect,
  mergeMessages,
  missingEntry,
  nameTakenMessage,
  restoreFault,
  sameChildMessage,
  type TermType,
  termTypeNames,
} from './rules.ts';
import { catalogueTables, usesOf } from './tables.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/**
 * Adds an entry. 403: the catalogue is shared by all schools, and the actor administers only some. 422: errors by
 * field.
 */
export async function addEntry(
  context: RequestContext,
  kind: CatalogueKind,
  written: NewEntry,
): Promise<{ id: number } | Refusal> {
  const { db } = context;
  const refusal = await lockCatalogues(context, kind);
  if (refusal) return refusal;
  const { output: fields, errors } = completeEntry(kind, written);
  if (!fields) return invalid(errors);
  const entries = await visibleEntries(context, kind);
  const wrong = await fieldErrors(context, kind, entries, fields);
  if (wrong) return wrong;
  const { parent_id, school_id } = fields;
  const entry = { ...fields, parent_id: parent_id || null, school_id: school_id || null, sort: sortAtEnd(entries) };
  const { id } = await catalogueTables[kind].add(db, entry);
  // Appends the entry to its level and renumbers the entries.
  await storeOrder(db, kind, entries, sortTree([...entries, { ...entry, id, put_away_at: null }]));
  await note(context, kind, { id, action: 'add', before: null, after: fields });
  return { id };
}

/**
 * Edits an entry. 404: no such entry. 403: as for `addEntry`. 422: errors by field. 409: somebody else edited the entry
 * meanwhile.
 */
export async function editEntry(
  context: RequestContext,
  kind: CatalogueKind,
  id: number,
  written: EditedEntry,
): Promise<null | Refusal> {
  const { db } = context;
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const { entry, entries } = locked;
  const { output: typed, errors } = completeEntry(kind, written);
  if (!typed) return invalid(errors);
  const now = editableEntry(entry, entries);
  const { after_id = now.after_id } = written;
  const { merged, conflicts, both } = mergeEdit(written.seen, now, { ...typed, after_id });
  const wrong = await fieldErrors(context, kind, entries, merged, entry);
  if (wrong) return wrong;
  if (conflicts.length > 0) return conflictOf(context, kind, id, entries, both);
  const change = changedFields(now, merged);
  if (change.names.length === 0) return null;
  const { parent_id, school_id, after_id: wanted, ...rest } = merged;
  const stored = { ...rest, parent_id: parent_id || null, school_id: school_id || null };
  const changed = entries.map((one): Entry => (one.id === id ? { ...one, ...stored } : one));
  const isElsewhere = parent_id !== now.parent_id || school_id !== now.school_id;
  // An entry that moves to another level becomes the last one there, unless a position is given.
  const last =
    siblingsAt(changed, stored)
      .filter((one) => one.id !== id)
      .at(-1)?.id ?? 0;
  const behind = isElsewhere && wanted === now.after_id ? last : wanted;
  if (behind !== 0 && !siblingsAt(changed, stored).some((one) => one.id === behind && one.id !== id))
    return invalid({ after_id: [catalogueMessages.noPlace] });
  await catalogueTables[kind].change(db, id, stored);
  if (isElsewhere || change.names.includes('after_id'))
    await storeOrder(db, kind, entries, moveBehind(changed, id, behind));
  await note(context, kind, { id, action: 'edit', before: change.before, after: change.after });
  return null;
}

/** Moves an entry up or down. 404: no such entry. 403: as for `addEntry`. 409: already the first or last. */
export async function moveEntry(
  context: RequestContext,
  kind: CatalogueKind,
  id: number,
  direction: 'up' | 'down',
): Promise<null | Refusal> {
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const { entry, entries } = locked;
  const level = siblingsAt(entries, entry);
  const at = level.findIndex((one) => one.id === id);
  const other = level[direction === 'up' ? at - 1 : at + 1];
  const refusal = refuseFor('conflict', other ? undefined : alreadyAtEnd(direction));
  if (refusal) return refusal;
  const after = (direction === 'up' ? level[at - 2]?.id : other?.id) ?? 0;
  const from = previousSibling(entries, entry);
  await storeOrder(context.db, kind, entries, moveBehind(entries, id, after));
  await note(context, kind, { id, action: 'move', before: { after_id: from }, after: { after_id: after } });
  return null;
}

/** Archives an entry. 404: no such entry. 403: as for `addEntry`. 409: already archived. */
export async function archiveEntry(context: RequestContext, kind: CatalogueKind, id: number): Promise<null | Refusal> {
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const refusal = refuseFor('conflict', archiveFault({ is_put_away: locked.entry.put_away_at === null ? 0 : 1 }));
  if (refusal) return refusal;
  await catalogueTables[kind].change(context.db, id, { put_away_at: context.now });
  await note(context, kind, { id, action: 'put-away', before: { is_put_away: 0 }, after: { is_put_away: 1 } });
  return null;
}

/** Restores an archived entry. 404: no such entry. 403: as for `addEntry`. 409: not archived. */
export async function restoreEntry(context: RequestContext, kind: CatalogueKind, id: number): Promise<null | Refusal> {
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const refusal = refuseFor('conflict', restoreFault({ is_put_away: locked.entry.put_away_at === null ? 0 : 1 }));
  if (refusal) return refusal;
  await catalogueTables[kind].change(context.db, id, { put_away_at: null });
  await note(context, kind, { id, action: 'restore', before: { is_put_away: 1 }, after: { is_put_away: 0 } });
  return null;
}

/** Deletes an entry. 404: no such entry. 403: as for `addEntry`. 409: the entry is in use. */
export async function deleteEntry(context: RequestContext, kind: CatalogueKind, id: number): Promise<null | Refusal> {
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const { db, actor } = context;
  // It is enough to count the uses in the actor's schools: a room is used only in its own school, and shared entries
  // are deleted only by administrators of all schools.
  const uses = await usesOf(db, actor, kind, [id]);
  const refusal = refuseFor('conflict', inUseFault(uses.get(id) ?? ''));
  if (refusal) return refusal;
  await catalogueTables[kind].remove(db, id);
  const before = editableEntry(locked.entry, locked.entries);
  await note(context, kind, { id, action: 'delete', before, after: null });
  return null;
}

/**
 * Merges an entry into another one. 404: no such entry. 403: as for `addEntry`. 422: the other entry is not valid. 409:
 * the entries belong to different schools, names collide, or the user has not confirmed the effect.
 */
export async function mergeEntry(
  context: RequestContext,
  kind: CatalogueKind,
  id: number,
  { into_id, acknowledged }: { into_id?: number | undefined; acknowledged: string },
): Promise<null | Refusal> {
  const locked = await heldEntry(context, kind, id);
  if (isRefusal(locked)) return locked;
  const { entry, entries } = locked;
  const { db, actor } = context;
  const into = entries.find((one) => one.id === into_id);
  if (!into) return invalid({ into_id: [mergeMessages.none] });
  if (isWithin(entries, into.id, id)) return invalid({ into_id: [mergeMessages.itself] });
  const below = entries.filter((one) => one.parent_id === id);
  const there = entries.filter((one) => one.parent_id === into.id);
  const twice = below.find((one) => there.some((other) => other.id !== id && isSameName(other.name, one.name)));
  const uses = (await usesOf(db, actor, kind, [id])).get(id) ?? '';
  const refusal =
    refuseFor('conflict', into.put_away_at === null ? undefined : mergeMessages.away) ??
    refuseFor('conflict', into.school_id === entry.school_id ? undefined : mergeMessages.schools) ??
    refuseFor('conflict', twice && sameChildMessage(twice.name)) ??
    requireConfirmation(mergeEffect({ name: entry.name, uses }, into.name), acknowledged);
  if (refusal) return refusal;
  for (const one of below) await catalogueTables[kind].change(db, one.id, { parent_id: into.id });
  await replaceReferences(db, kind, { from: id, into: into.id });
  await catalogueTables[kind].remove(db, id);
  const { name } = entry;
  await note(context, kind, {
    id,
    action: 'merge',
    before: { name },
    after: { merged_into: into.name, records: uses },
  });
  await note(context, kind, { id: into.id, action: 'merge', before: null, after: { merged: name, records: uses } });
  return null;
}

/**
 * Locks the catalogues against other changes. 403: the catalogue is shared by all schools, and the actor administers
 * only some.
 */
async function lockCatalogues({ db, actor }: RequestContext, kind: CatalogueKind): Promise<Refusal | undefined> {
  const fault = isOfSchool(kind) ? undefined : everySchoolFault(actor);
  if (fault !== undefined) return forbidden(fault);
  await withSchoolLock(db);
  return undefined;
}

async function heldEntry(context: RequestContext, kind: CatalogueKind, id: number) {
  const refusal = await lockCatalogues(context, kind);
  const entries = await visibleEntries(context, kind);
  const entry = entries.find((one) => one.id === id);
  if (!entry) return missing(missingEntry(kind));
  return refusal ?? { entry, entries };
}

/** Validates an entry and drops fields that its catalogue does not have. */
function completeEntry(
  kind: CatalogueKind,
  written: NewEntry,
): { output: Omit<EditableEntry, 'after_id'>; errors?: undefined } | { output?: undefined; errors: FieldErrors } {
  const schema = hasDays(kind) ? CompleteTerm : CompleteEntry;
  const { output, errors } = validateComplete(schema as typeof CompleteTerm | typeof CompleteEntry, written);
  if (!output) return { errors };
  return {
    output: {
      type: '',
      first_day: '',
      last_day: '',
      ...output,
      parent_id: hasLevels(kind) ? (written.parent_id ?? 0) : 0,
      school_id: isOfSchool(kind) ? (written.school_id ?? 0) : 0,
      seats: isOfSchool(kind) && 'seats' in output ? output.seats : 0,
    },
  };
}

/** Checks the rules that need the actor or the other entries. `before`: the stored entry, if one is edited. */
async function fieldErrors(
  { db, actor }: RequestContext,
  kind: CatalogueKind,
  entries: readonly EntryWithDepth[],
  fields: Omit<EditableEntry, 'after_id'>,
  before?: EntryWithDepth,
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  const { name, parent_id, school_id } = fields;
  const level = siblingsAt(entries, { parent_id: parent_id || null, school_id: school_id || null });
  const same = level.find((one) => one.id !== before?.id && isSameName(one.name, name));
  if (same && !(before && isSameName(before.name, name) && before.parent_id === (parent_id || null)))
    errors.name = [nameTakenMessage(kind, { name: same.name, is_put_away: same.put_away_at === null ? 0 : 1 })];
  if (parent_id !== 0 && !entries.some(({ id }) => id === parent_id)) errors.parent_id = [catalogueMessages.noParent];
  else if (before && parent_id !== 0 && isWithin(entries, parent_id, before.id))
    errors.parent_id = [catalogueMessages.ownParent];
  if (isOfSchool(kind)) {
    const open = await openSchoolsOf(db, actor).where('school.id', '=', school_id).execute();
    if (open.length === 0 && before?.school_id !== school_id) errors.school_id = [catalogueMessages.noSchool];
    else if (before && before.school_id !== school_id && (await usesOf(db, actor, kind, [before.id])).size > 0)
      errors.school_id = [catalogueMessages.schoolInUse];
  }
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof EditableEntry, string> = {
  name: '名称',
  parent_id: '上级',
  school_id: '所属学校',
  seats: '座位数',
  type: '类别',
  first_day: '开始日期',
  last_day: '结束日期',
  after_id: '位置',
};

async function conflictOf(
  { db }: RequestContext,
  kind: CatalogueKind,
  id: number,
  entries: readonly EntryWithDepth[],
  edit: Edit<EditableEntry>,
): Promise<Refusal> {
  const schools = await db.selectFrom('school').select(['id', 'org_name']).execute();
  const named = (value: unknown) => entries.find((one) => one.id === value)?.name;
  const wordsOf: Partial<Record<keyof EditableEntry, (value: unknown) => string>> = {
    parent_id: (value) => named(value) ?? '无',
    school_id: (value) => schools.find((school) => school.id === value)?.org_name ?? '无',
    type: (value) => termTypeNames[value as TermType] ?? '空',
    after_id: (value) => (value === 0 ? '最前' : `${named(value) ?? ''}之后`),
  };
  return editConflict(edit, {
    by: (await lastChangedBy(db, catalogueTables[kind].record, id, edit.conflicts)) || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? String(value || '空'),
  });
}

const sortAtEnd = (entries: readonly Entry[]): number => Math.max(0, ...entries.map(({ sort }) => sort)) + 1;

async function storeOrder(
  db: Database,
  kind: CatalogueKind,
  stored: readonly Entry[],
  ordered: readonly EntryWithDepth[],
): Promise<void> {
  for (const { id, sort } of changedSorts(ordered, stored)) await catalogueTables[kind].change(db, id, { sort });
}

const note = (
  { db, actor, now }: RequestContext,
  kind: CatalogueKind,
  { id, action, before, after }: { id: number; action: string; before: object | null; after: object | null },
) => {
  const shownFields = (fields: object | null) => (hasDays(kind) ? fields : fields && withoutDays(fields));
  const change = { action, before: shownFields(before), after: shownFields(after) };
  return recordHistory(db, { actor, now, record: catalogueTables[kind].record, recordId: id, ...change });
};

/** Removes type and days from the fields, for catalogues that have none. */
function withoutDays(fields: object): object {
  const { type: _type, first_day: _first, last_day: _last, ...rest } = fields as Partial<EditableEntry>;
  return rest;
}
