/** Imports schools by the rules of changes.ts. */

import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { isSameName, normalizeName } from '#server/platform/text/name-matching.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import {
  fieldsOrErrors,
  messagesPerRecord,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { simpleImporter } from '#server/school/simple-importer.ts';
import { CompleteSchool } from './contract.ts';
import { countRecords } from './list.ts';
import { everySchoolFault, schoolInUseFault, schoolNameTakenMessage } from './rules.ts';

export const importedSchools = simpleImporter({
  table: 'school',
  needs: 'settings',
  isShared: true,
  refers: {},
  scalars: ['name'],
  defaults: { name: '' },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name }) => normalizeName(String(name ?? '')),
  facts: ({ name }) => ({ name: name ?? '' }),
  // An import never archives schools, because all other records belong to a school. Administrators archive them by
  // hand.
  leaves: false,
  columns: { org_name: 'text' },
  row: ({ name }) => ({ org_name: String(name) }),
  removal: 'delete',
  async open({ db, importer }) {
    if (db.isTransaction) await withSchoolLock(db);
    const seen = () => schoolsOf(db, viewerOf(importer)).select(['school.id', 'school.org_name as name']).execute();
    /** Reads all schools: names are unique among them, even if the importing administrator does not see some. */
    const all = (
      await db.selectFrom('school').select(['id', 'org_name as name', 'put_away_at']).orderBy('id').execute()
    ).map((row) => ({ ...row, key: String(row.id) }));
    const known = new Set((await seen()).map(({ id }) => id));
    return {
      rows: async (ids) => (await seen()).filter(({ id }) => ids.includes(id)),
      findMatch: async (wanted) =>
        wanted.map(({ name }) => {
          const same = all.find((one) => known.has(one.id) && isSameName(one.name, String(name)));
          return same && { record: String(same.id), isSure: true };
        }),
      diff: async (wanted) =>
        wanted.map(({ record: own, fields: written, before }): RecordDiff => {
          const { output: fields, errors: wrong } = validateImported(CompleteSchool, written);
          if (!fields) return { errors: wrong };
          if (before?.name === fields.name) return { fields };
          const errors: FieldErrors = {};
          const same = all.find(({ key, name }) => key !== own && isSameName(name, fields.name));
          if (same) {
            const is_put_away = same.put_away_at === null ? 0 : 1;
            errors.name = [schoolNameTakenMessage({ name: same.name, is_put_away })];
          }
          const fault = own === undefined ? everySchoolFault(importer) : undefined;
          if (fault) errors.name = [fault];
          if (Object.keys(errors).length === 0 && own === undefined)
            all.push({ id: 0, key: '', name: fields.name, put_away_at: null });
          return fieldsOrErrors(fields, errors);
        }),
      inUse: (made) => messagesPerRecord(made, async (id) => schoolInUseFault(await countRecords(db, id))),
    };
  },
});
