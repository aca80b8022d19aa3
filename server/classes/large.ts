/** Large classes: classes that share a schedule picture. A class's row says to which large class it belongs. */

import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordIds, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import {
  CompleteLargeClass,
  type EditedLargeClass,
  type LargeClassFilter,
  type LargeClassRow,
} from './large.contract.ts';
import { classWritingMessages, inClassOrder, missingLargeClass } from './rules.ts';
import { gradePlace } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

const adminLarge = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) =>
  db.selectFrom('large_class').where('large_class.school_id', 'in', schoolsOf(db, actor));

const rowsOf = (large: ReturnType<typeof adminLarge>) =>
  large
    .innerJoin('school', 'school.id', 'large_class.school_id')
    .select(['large_class.id', 'large_class.name', 'large_class.school_id', 'school.org_name as school_name']);

/** Lists large classes, newest first. */
export async function largeClassPage(
  context: Pick<RequestContext, 'db' | 'actor'>,
  filter: LargeClassFilter,
): Promise<Page<LargeClassRow>> {
  let matching = adminLarge(context);
  if (filter.name !== undefined) matching = matching.where(nameContains('large_class.name', filter.name));
  if (filter.school_id !== undefined) matching = matching.where('large_class.school_id', '=', filter.school_id);
  const { list, ...range } = await pageOf(matching, filter, rowsOf(matching).orderBy('large_class.id', 'desc'));
  return { list: await withClasses(context.db, list), ...range };
}

type StoredLargeClass = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

async function withClasses(db: Database, rows: readonly StoredLargeClass[]): Promise<LargeClassRow[]> {
  const classes = await db
    .selectFrom('class')
    .select(['id', 'name', 'large_class_id', gradePlace])
    .where('large_class_id', 'in', [0, ...rows.map(({ id }) => id)])
    .execute();
  const ordered = inClassOrder(classes);
  return rows.map((row) => ({
    ...row,
    classes: ordered.filter(({ large_class_id }) => large_class_id === row.id).map(({ id, name }) => ({ id, name })),
    seen: versionTokenOf({ name: row.name }),
  }));
}

/** Returns one large class. 404: no such large class. */
export async function largeClass(
  context: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<LargeClassRow | Refusal> {
  const found = await rowsOf(adminLarge(context).where('large_class.id', '=', id)).execute();
  const [row] = await withClasses(context.db, found);
  return row ?? missing(missingLargeClass);
}

/** Adds a large class. 422: errors by field. */
export async function addLarge(
  { db, actor, now }: RequestContext,
  written: { name: string; school_id?: number | undefined },
): Promise<{ id: number } | Refusal> {
  const { output, errors } = validateComplete(CompleteLargeClass, written);
  if (!output) return invalid(errors);
  const known = await schoolsOf(db, actor).where('school.id', '=', output.school_id).executeTakeFirst();
  if (!known) return invalid({ school_id: [classWritingMessages.noSchool] });
  const [id] = await newRecordIds(db, { table: 'large_class', record: 'large_class', count: 1 });
  const added = await db
    .insertInto('large_class')
    .values({ id, ...output })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor,
    now,
    record: 'large_class',
    recordId: added.id,
    action: 'add',
    before: null,
    after: output,
  });
  return added;
}

/** Edits a large class. 404: no such large class. 422: errors by field. 409: edited meanwhile. */
export async function editLarge(
  context: RequestContext,
  id: number,
  written: EditedLargeClass,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  await forUpdate(db)(adminLarge(context).select('large_class.id').where('large_class.id', '=', id)).execute();
  const large = await largeClass(context, id);
  if (isRefusal(large)) return large;
  const { output, errors } = validateComplete(CompleteLargeClass, { name: written.name, school_id: large.school_id });
  if (!output) return invalid(errors);
  const before = { name: large.name };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, { name: output.name });
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'large_class', id, conflicts)) || '系统管理员',
      nameOf: { name: '名称' },
      shown: (_, value) => String(value),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  await db.updateTable('large_class').set(merged).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'large_class',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}
