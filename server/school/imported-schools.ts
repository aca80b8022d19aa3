/** The schools as an import has them, by the rules of `schools-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { alike, plainName } from '#server/platform/text/alike.ts';
import { schoolsOf } from './administered.ts';
import {
  additionsNoted,
  heldTo,
  type ImportContext,
  type ImportedKind,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  viewerOf,
} from './imported.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { everySchoolFault, schoolInUseFault, takenSchoolName } from './rules.ts';
import { CompleteSchool } from './schools.contract.ts';
import { recordsOf } from './schools-list.ts';

const record = 'school';

export const importedSchools: ImportedKind = {
  needs: 'settings',
  isShared: true,
  refers: {},
  scalars: ['name'],
  defaults: { name: '' },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name }) => plainName(String(name ?? '')),
  facts: ({ name }) => ({ name: name ?? '' }),
  // A school is put away by hand: everything is of it.
  leaves: false,
  open,
};

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, importer } = context;
  if (db.isTransaction) await oneAtATime(db);
  const seen = () =>
    schoolsOf(db, viewerOf(importer)).select(['school.id', 'school.org_name as name', 'school.put_away_at']).execute();
  /** Names are compared in all schools, also in those that the importer does not see. */
  const all = (
    await db.selectFrom('school').select(['id', 'org_name as name', 'put_away_at']).orderBy('id').execute()
  ).map((row) => ({ ...row, key: String(row.id) }));
  const known = new Set((await seen()).map(({ id }) => id));
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const rename = async (id: string, name: unknown) => {
    await db
      .updateTable('school')
      .set({ org_name: String(name) })
      .where('id', '=', Number(id))
      .execute();
  };

  return {
    async stored(records) {
      const asked = new Set(records);
      return new Map(
        (await seen())
          .filter(({ id }) => asked.has(String(id)))
          // One that is put away stays so: that is decided by hand.
          .map(({ id, name }) => [String(id), { fields: { name }, isGone: false }]),
      );
    },
    meant: async (wanted) =>
      wanted.map(({ name }) => {
        const same = all.find((one) => known.has(one.id) && alike(one.name, String(name)));
        return same && { record: String(same.id), isSure: true };
      }),
    async judge(wanted) {
      return wanted.map(({ record: own, fields: written, before }): Judged => {
        const { output: fields, errors: wrong } = heldTo(CompleteSchool, written);
        if (!fields) return { errors: wrong };
        if (before?.name === fields.name) return { fields };
        const errors: FieldErrors = {};
        const same = all.find(({ key, name }) => key !== own && alike(name, fields.name));
        if (same) {
          const is_put_away = same.put_away_at === null ? 0 : 1;
          errors.name = [takenSchoolName({ name: same.name, is_put_away })];
        }
        const fault = own === undefined ? everySchoolFault(importer) : undefined;
        if (fault) errors.name = [fault];
        if (Object.keys(errors).length === 0 && own === undefined)
          all.push({ id: 0, key: '', name: fields.name, put_away_at: null });
        return orErrors(fields, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'school', record, count: fields.length })).map(String),
    async add(made) {
      for (const { record: id, fields } of made)
        await db
          .insertInto('school')
          .values({ id: Number(id), org_name: String(fields.name) })
          .execute();
      await note('add', additionsNoted(made));
      return new Map();
    },
    async change(changed) {
      for (const { record: id, after } of changed) await rename(id, after.name);
      await note(
        'edit',
        changed.map(({ record: id, before, after }) => ({ recordId: Number(id), before, after })),
      );
    },
    end: async () => new Map(),
    comeBack: async () => new Map(),
    effects: async () => new Map(),
    async remove(made) {
      const kept = new Map<string, string>();
      for (const { record: id, fields } of made) {
        const why = schoolInUseFault(await recordsOf(db, Number(id)));
        if (why) kept.set(id, why);
        else {
          await db.deleteFrom('school').where('id', '=', Number(id)).execute();
          await note('delete', [{ recordId: Number(id), before: fields, after: null }]);
        }
      }
      return kept;
    },
    unend: async () => undefined,
    unreturn: async () => undefined,
  };
}
