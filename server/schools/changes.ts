/** Adds, edits, archives and deletes schools. Each change is recorded in the history. */

import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { forbidden, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { CompleteSchool, type EditedSchool, type NewSchool } from './contract.ts';
import { countRecords, editedSchool, schoolRow } from './list.ts';
import {
  everySchoolFault,
  lastSchoolFault,
  missingSchool,
  schoolArchiveFault,
  schoolInUseFault,
  schoolNameTakenMessage,
  schoolRestoreFault,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Adds a school. 403: an administrator of some schools. 422: the name is invalid or taken. */
export async function addSchool(context: RequestContext, written: NewSchool): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const refusal = refuseFor('forbidden', everySchoolFault(actor));
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteSchool, written);
  if (!output) return invalid(errors);
  await withSchoolLock(db);
  const taken = await takenFault(db, output.name);
  if (taken) return taken;
  const added = await db
    .insertInto('school')
    .values({ org_name: output.name })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor,
    now,
    record: 'school',
    recordId: added.id,
    action: 'add',
    before: null,
    after: output,
  });
  return added;
}

/**
 * Edits a school. 404: not a school of the actor. 422: the name is invalid or taken. 409: somebody else changed the
 * school meanwhile.
 */
export async function editSchool(context: RequestContext, id: number, written: EditedSchool): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const school = await heldSchool(context, id);
  if (isRefusal(school)) return school;
  const { output, errors } = validateComplete(CompleteSchool, written);
  if (!output) return invalid(errors);
  const before = editedSchool(school);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'school', id, conflicts)) || '系统管理员',
      nameOf: { name: '学校名称' },
      shown: (_, value) => String(value),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const taken = await takenFault(db, merged.name, id);
  if (taken) return taken;
  await db.updateTable('school').set({ org_name: merged.name }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'school',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/**
 * Archives a school. 404: not a school of the actor. 403: an administrator of some schools. 409: archived already, the
 * last active school, or the user has not confirmed the records of the school.
 */
export async function archiveSchool(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const school = await heldSchool(context, id, everySchoolFault(actor));
  if (isRefusal(school)) return school;
  const others = await db
    .selectFrom('school')
    .select('id')
    .where('put_away_at', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .execute();
  const records = await countRecords(db, id);
  const refusal =
    refuseFor('conflict', schoolArchiveFault(school)) ??
    refuseFor('conflict', lastSchoolFault(others.length)) ??
    requireConfirmation(records || undefined, acknowledged);
  if (refusal) return refusal;
  await db.updateTable('school').set({ put_away_at: now }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'school',
    recordId: id,
    action: 'put-away',
    before: { is_put_away: 0 },
    after: { is_put_away: 1, records },
  });
  return null;
}

/**
 * Restores an archived school. 404: not a school of the actor. 403: an administrator of some schools. 409: not
 * archived.
 */
export async function restoreSchool(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const school = await heldSchool(context, id, everySchoolFault(actor));
  if (isRefusal(school)) return school;
  const refusal = refuseFor('conflict', schoolRestoreFault(school));
  if (refusal) return refusal;
  await db.updateTable('school').set({ put_away_at: null }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'school',
    recordId: id,
    action: 'restore',
    before: { is_put_away: 1 },
    after: { is_put_away: 0 },
  });
  return null;
}

/**
 * Deletes a school. 404: not a school of the actor. 403: an administrator of some schools. 409: the school has records.
 */
export async function deleteSchool(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const school = await heldSchool(context, id, everySchoolFault(actor));
  if (isRefusal(school)) return school;
  const refusal = refuseFor('conflict', schoolInUseFault(await countRecords(db, id)));
  if (refusal) return refusal;
  await db.deleteFrom('school').where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'school',
    recordId: id,
    action: 'delete',
    before: editedSchool(school),
    after: null,
  });
  return null;
}

/** Locks and reads a school. 404: not a school of the actor. `fault` is refused with 403. */
async function heldSchool(context: RequestContext, id: number, fault?: string) {
  const { db } = context;
  await withSchoolLock(db);
  await forUpdate(db)(db.selectFrom('school').select('id').where('id', '=', id)).execute();
  const school = await schoolRow(context, id);
  if (!school) return missing(missingSchool);
  return fault === undefined ? school : forbidden(fault);
}

/** Refuses a name that another school has, even one that the actor does not see. */
async function takenFault(db: Database, name: string, id = 0): Promise<Refusal | undefined> {
  const others = await db
    .selectFrom('school')
    .select(['id', 'org_name', 'put_away_at'])
    .where('id', '!=', id)
    .execute();
  const same = others.find((other) => isSameName(other.org_name, name));
  if (!same) return undefined;
  const other = { name: same.org_name, is_put_away: same.put_away_at === null ? (0 as const) : (1 as const) };
  return invalid({ name: [schoolNameTakenMessage(other)] });
}
