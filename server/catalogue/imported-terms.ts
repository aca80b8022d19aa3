/** School years and terms as an import has them. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { among } from '#server/platform/db/given.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { alike, plainName } from '#server/platform/text/alike.ts';
import {
  additionsNoted,
  type Fields,
  heldTo,
  type ImportContext,
  type ImportedKind,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  removalsNoted,
} from '#server/school/imported.ts';
import { CompleteTerm } from './contract.ts';
import { everySchoolFault, termMessages, termTypes } from './rules.ts';

const record = 'term';

export const importedTerms: ImportedKind = {
  needs: 'teaching',
  isShared: true,
  refers: { parent_id: 'term' },
  scalars: ['name', 'type', 'first_day', 'last_day'],
  defaults: { name: '', type: 'term', first_day: '', last_day: '', parent_id: null },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name, parent_id }) => `${parent_id ?? ''} ${plainName(String(name ?? ''))}`,
  facts: ({ name }, isGone) => ({ name: name ?? '', is_away: isGone ? 1 : 0 }),
  // Classes are of them: what an upload no longer names stays.
  leaves: false,
  open,
};

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, now, importer } = context;
  const fault = everySchoolFault(importer);
  const all = () =>
    db
      .selectFrom('term')
      .select(['id', 'name', 'type', 'first_day', 'last_day', 'parent_id', 'put_away_at'])
      .orderBy('id')
      .execute();
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const idsOf = (records: readonly { record: string }[]) => records.map((one) => Number(one.record));
  const putAway = async (ids: readonly number[], at: number | null) => {
    await db.updateTable('term').set({ put_away_at: at }).where('id', 'in', among(db, ids)).execute();
    await note(
      at === null ? 'restore' : 'put-away',
      ids.map((recordId) => ({
        recordId,
        before: { is_put_away: at === null ? 1 : 0 },
        after: { is_put_away: at === null ? 0 : 1 },
      })),
    );
  };

  return {
    async stored(records) {
      const asked = new Set(records);
      return new Map(
        (await all())
          .filter(({ id }) => asked.has(String(id)))
          .map(({ id, put_away_at, ...fields }) => [String(id), { fields, isGone: put_away_at !== null }]),
      );
    },
    async meant(wanted) {
      const stored = await all();
      return wanted.map(({ name, parent_id }) => {
        const same = stored.find(
          (one) => (one.parent_id ?? null) === (parent_id ?? null) && alike(one.name, String(name ?? '')),
        );
        return same && { record: String(same.id), isSure: true };
      });
    },
    async judge(wanted) {
      return wanted.map(({ record: own, fields: { parent_id, ...written } }): Judged => {
        const { output, errors: wrong } = heldTo(CompleteTerm, written);
        if (!output) return { errors: wrong };
        const errors: FieldErrors = {};
        if (fault) errors.name = [fault];
        if (own !== undefined && String(parent_id) === own) errors.parent_id = [termMessages.ownParent];
        return orErrors({ ...output, parent_id: Number(parent_id) || null }, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: record, record, count: fields.length })).map(String),
    async add(made) {
      const { last } = await db
        .selectFrom('term')
        .select((eb) => eb.fn.max<number | null>('sort').as('last'))
        .executeTakeFirstOrThrow();
      for (const [at, { record: id, fields }] of made.entries())
        await db
          .insertInto('term')
          .values({ id: Number(id), ...columnsOf(fields), put_away_at: null, sort: (last ?? 0) + at + 1 })
          .execute();
      await note('add', additionsNoted(made));
      return new Map();
    },
    async change(changed) {
      for (const { record: id, after } of changed)
        await db.updateTable('term').set(columnsOf(after)).where('id', '=', Number(id)).execute();
      await note(
        'edit',
        changed.map(({ record: id, before, after }) => ({ recordId: Number(id), before, after })),
      );
    },
    async end(ended) {
      await putAway(idsOf(ended), now);
      return new Map();
    },
    async comeBack(returning) {
      const was = new Map((await all()).map(({ id, put_away_at }) => [String(id), { put_away_at }]));
      await putAway(idsOf(returning), null);
      return new Map(returning.map(({ record: id }) => [id, was.get(id)]));
    },
    effects: async () => new Map(),
    async remove(made) {
      const ids = idsOf(made);
      const below = await db.selectFrom('term').select('parent_id').where('parent_id', 'in', among(db, ids)).execute();
      const taught = await db
        .selectFrom('class_term')
        .select('term_id')
        .where('term_id', 'in', among(db, ids))
        .execute();
      const used = new Map([
        ...below.map(({ parent_id }): [string, string] => [String(parent_id), '还有下级学期']),
        ...taught.map(({ term_id }): [string, string] => [String(term_id), '还有班级属于该学期']),
      ]);
      const kept = new Map(made.flatMap(({ record: id }) => (used.has(id) ? [[id, used.get(id) ?? '']] : [])));
      const gone = made.filter(({ record: id }) => !kept.has(id));
      await db
        .deleteFrom('term')
        .where('id', 'in', among(db, idsOf(gone)))
        .execute();
      await note('delete', removalsNoted(gone));
      return kept;
    },
    unend: (ended) => putAway(idsOf(ended), null),
    async unreturn(returned) {
      for (const { record: id, trace } of returned)
        await putAway([Number(id)], (trace as { put_away_at: number | null }).put_away_at ?? now);
    },
  };
}

const columnsOf = (fields: Fields) => ({
  name: String(fields.name),
  type: termTypes.find((type) => type === fields.type) ?? ('term' as const),
  first_day: String(fields.first_day ?? ''),
  last_day: String(fields.last_day ?? ''),
  parent_id: Number(fields.parent_id) || null,
});
