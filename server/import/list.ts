import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ImportFilter, ImportListRow, ImportRecord } from './contract.ts';
import { doubtsAboutFile } from './remarks.ts';
import { canBeUndone } from './retention.ts';
import { needsLook } from './row-page.ts';
import type { Conflicts } from './row-plan.ts';
import {
  applyFault,
  checkFault,
  discardFault,
  fieldWord,
  followUps,
  importMessages,
  kindName,
  missingImport,
  rowOutcomes,
  undoFault,
  unreadableFault,
} from './rules.ts';
import { sourceNamer } from './source.ts';
import { recordKinds } from './source-record.ts';
import { storedImport } from './stored-import.ts';
import { visibleImports } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

const rows = (imports: ReturnType<typeof visibleImports>) =>
  imports
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .leftJoin('staff', 'staff.id', 'import.staff_id')
    .select([
      'import.id',
      'import_source.name as source',
      'import_source.owner',
      'import.plan',
      'import.file_name',
      'import.mode',
      'import.state',
    ])
    .select(['import.job', 'import.done', 'import.total', 'import.failure', 'import.found', 'staff.real_name'])
    .select(['import.created_at', 'import.applied_at', 'import.checked_at', 'import.undone_at']);

export async function importPage(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  filter: ImportFilter,
): Promise<Page<ImportListRow>> {
  let matching = visibleImports(db, actor);
  if (filter.state) matching = matching.where('import.state', '=', filter.state);
  if (filter.waiting) matching = waiting(matching);
  if (filter.source_id !== undefined) matching = matching.where('import.source_id', '=', filter.source_id);
  const { list, ...range } = await pageOf(matching, filter, rows(matching).orderBy('import.id', 'desc'));
  const nameOf = await sourceNamer(db);
  return {
    list: list.map(({ real_name, checked_at: _, undone_at: __, owner, source, plan, ...row }) => ({
      ...row,
      is_own: plan === '' ? 0 : 1,
      source: nameOf({ name: source, owner }),
      by: real_name ?? '',
    })),
    ...range,
  };
}

/** Selects the imports that wait for a person: held or unreadable ones. */
const waiting = (imports: ReturnType<typeof visibleImports>) =>
  imports.where('import.state', 'in', ['uploaded', 'held']).where('import.job', '=', '');

export const pendingImports = ({ db, actor }: RuleContext<'actor'>): Promise<number> =>
  countOf(waiting(visibleImports(db, actor)));

export async function listSources(db: Database, actor: Actor) {
  const rows = await db
    .selectFrom('import_source')
    .select(['id', 'name', 'owner'])
    .where('id', 'in', visibleImports(db, actor).select('import.source_id'))
    .orderBy('name')
    .execute();
  const nameOf = await sourceNamer(db);
  return rows.map(({ id, ...source }) => ({ id, name: nameOf(source) }));
}

/** Returns one import for its screen. 404: no such import. */
export async function importRecord(context: RequestContext, id: number): Promise<ImportRecord | Refusal> {
  const { db, actor } = context;
  const row = await rows(visibleImports(db, actor)).where('import.id', '=', id).executeTakeFirst();
  if (!row) return missing(missingImport);
  const one = await storedImport(db, id);
  const { real_name, owner, source, plan, ...shown } = row;
  const nameOf = await sourceNamer(db);
  const remarks = await db
    .selectFrom('import_remark')
    .select((eb) => ['tone', eb.fn.countAll<number>().as('count')])
    .where('import_id', '=', id)
    .groupBy('tone')
    .execute();
  const countOfTone = (tone: string) => Number(remarks.find((remark) => remark.tone === tone)?.count ?? 0);
  const counted = recordKinds
    .filter((kind) => one.counts[kind])
    .map((kind) => {
      const counts = rowOutcomes.map((verdict) => one.counts[kind]?.[verdict] ?? 0);
      return { kind, kind_name: kindName(kind), counts, total: counts.reduce((sum, count) => sum + count, 0) };
    });
  return {
    ...shown,
    is_own: plan === '' ? 0 : 1,
    source: nameOf({ name: source, owner }),
    by: real_name ?? '',
    kinds: counted,
    totals: rowOutcomes.map((_, at) => counted.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)),
    effects: one.effects,
    follow_ups: followUps(one.counts),
    holds: one.holds,
    refused: countOfTone('refused'),
    forgiven: countOfTone('forgiven'),
    doubted: countOfTone('doubted'),
    file_doubts: countOfTone('doubted') > 0 ? await doubtsAboutFile(db, id) : [],
    to_check: await countOf(db.selectFrom('import_row').where('import_row.import_id', '=', id).where(needsLook(one))),
    stayed: await countOf(db.selectFrom('import_row').where('import_id', '=', id).where('stayed', '!=', '')),
    fields: await conflictFields(db, id, one.choices.take ?? []),
    check_fault: unreadableFault(one) ?? checkFault(one) ?? '',
    apply_fault: unreadableFault(one) ?? applyFault(one) ?? '',
    columns_fault: one.list ? (checkFault(one) ?? '') : importMessages.notAList,
    undo_fault: undoFault({ ...one, isKept: await canBeUndone(context, one) }) ?? '',
    discard_fault: discardFault(one) ?? '',
  };
}

/** Returns the fields for which persons and the source have different values. */
async function conflictFields(db: Database, id: number, taken: readonly string[]): Promise<ImportRecord['fields']> {
  const found = await db
    .selectFrom('import_row')
    .select(['kind', 'conflicts'])
    .where('import_id', '=', id)
    .where('conflicts', '!=', '{}')
    .limit(10_000)
    .execute();
  const counts = new Map<string, number>();
  for (const { kind, conflicts } of found)
    for (const field of Object.keys(JSON.parse(conflicts) as Conflicts))
      counts.set(`${kind}.${field}`, (counts.get(`${kind}.${field}`) ?? 0) + 1);
  return [...counts].map(([field, count]) => {
    const [kind = '', name = ''] = field.split('.');
    const is_taken = taken.includes(field) || taken.includes('*') ? 1 : 0;
    return { field, name: `${kindName(kind)}的${fieldWord(name, kind)}`, count, is_taken };
  });
}
