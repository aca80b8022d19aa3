import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { isSameName, normalizeName } from '#server/platform/text/name-matching.ts';
import { fieldsOrErrors, idsOf, type RecordDiff, validateImported } from '#server/school/importer.ts';
import { endByArchiving, simpleImporter } from '#server/school/simple-importer.ts';
import { CompleteTerm } from './contract.ts';
import { everySchoolFault, termMessages, termTypes } from './rules.ts';

export const importedTerms = simpleImporter({
  table: 'term',
  needs: 'teaching',
  isShared: true,
  refers: { parent_id: 'term' },
  scalars: ['name', 'type', 'first_day', 'last_day'],
  defaults: { name: '', type: 'term', first_day: '', last_day: '', parent_id: null },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name, parent_id }) => `${parent_id ?? ''} ${normalizeName(String(name ?? ''))}`,
  facts: ({ name }, isGone) => ({ name: name ?? '', is_away: isGone ? 1 : 0 }),
  // A term that is missing from an upload stays, because classes are assigned to it.
  leaves: false,
  columns: { name: 'text', type: 'text', first_day: 'text', last_day: 'text', parent_id: 'integer' },
  newColumns: { sort: 'integer' },
  row: (fields) => ({
    name: String(fields.name),
    type: termTypes.find((type) => type === fields.type) ?? 'term',
    first_day: String(fields.first_day ?? ''),
    last_day: String(fields.last_day ?? ''),
    parent_id: Number(fields.parent_id) || null,
  }),
  notesWhole: true,
  ending: endByArchiving,
  removal: 'delete',
  async open({ db, importer }) {
    const fault = everySchoolFault(importer);
    const terms = () =>
      db
        .selectFrom('term')
        .select(['id', 'name', 'type', 'first_day', 'last_day', 'parent_id', 'put_away_at'])
        .orderBy('id');
    return {
      rows: (ids) => terms().where('id', 'in', inIds(db, ids)).execute(),
      async findMatch(wanted) {
        const stored = await terms().execute();
        return wanted.map(({ name, parent_id = null }) => {
          const same = stored.find((one) => one.parent_id === parent_id && isSameName(one.name, String(name ?? '')));
          return same && { record: String(same.id), isSure: true };
        });
      },
      diff: async (wanted) =>
        wanted.map(({ record: own, fields: { parent_id, ...written } }): RecordDiff => {
          const { output, errors: wrong } = validateImported(CompleteTerm, written);
          if (!output) return { errors: wrong };
          const errors: FieldErrors = {};
          if (fault) errors.name = [fault];
          if (own !== undefined && String(parent_id) === own) errors.parent_id = [termMessages.ownParent];
          return fieldsOrErrors({ ...output, parent_id: Number(parent_id) || null }, errors);
        }),
      async newRows(made) {
        const { last } = await db
          .selectFrom('term')
          .select((eb) => eb.fn.max<number | null>('sort').as('last'))
          .executeTakeFirstOrThrow();
        return made.map((_, at) => ({ sort: (last ?? 0) + at + 1 }));
      },
      async inUse(made) {
        const ids = inIds(db, idsOf(made));
        const below = await db.selectFrom('term').select('parent_id as id').where('parent_id', 'in', ids).execute();
        const taught = await db.selectFrom('class_term').select('term_id as id').where('term_id', 'in', ids).execute();
        return new Map([
          ...below.map(({ id }): [string, string] => [String(id), '还有下级学期']),
          ...taught.map(({ id }): [string, string] => [String(id), '还有班级属于该学期']),
        ]);
      },
    };
  },
});
