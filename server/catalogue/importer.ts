/** Imports grades, categories, subjects and rooms by the rules of `changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { isSameName, normalizeName } from '#server/platform/text/name-matching.ts';
import {
  type Fields,
  type FieldValue,
  fieldsOrErrors,
  type ImportContext,
  idsOf,
  importerSchools,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import {
  endByArchiving,
  type SimpleImporter,
  type SimpleSession,
  simpleImporter,
} from '#server/school/simple-importer.ts';
import { CompleteEntry } from './contract.ts';
import { siblingsAt } from './levels.ts';
import {
  type CatalogueKind,
  catalogueMessages,
  everySchoolFault,
  hasLevels,
  inUseFault,
  isOfSchool,
  nameTakenMessage,
} from './rules.ts';
import { emptyEntry, entriesOf, usesOf } from './tables.ts';

const commonImporter = (kind: CatalogueKind) =>
  ({
    needs: 'teaching',
    ...(isOfSchool(kind) && { isShared: true as const }),
    refers: {
      ...(hasLevels(kind) && { parent_id: 'category' }),
      ...(isOfSchool(kind) && { school_id: 'school' }),
    },
    scalars: isOfSchool(kind) ? ['name', 'seats'] : ['name'],
    defaults: { name: '', parent_id: null, school_id: null, seats: 0 },
    labelOf: ({ name }) => String(name ?? ''),
    naturalKey: ({ name, parent_id, school_id }) =>
      `${parent_id ?? ''} ${school_id ?? ''} ${normalizeName(String(name))}`,
    facts: ({ name, school_id }, isGone) => ({
      name: name ?? '',
      school_id: school_id ?? null,
      is_away: isGone ? 1 : 0,
    }),
    // An entry that is missing from an upload stays, because other records use it.
    leaves: false,
    columns: {
      name: 'text',
      ...(hasLevels(kind) && { parent_id: 'integer' as const }),
      ...(isOfSchool(kind) && { school_id: 'integer' as const, seats: 'integer' as const }),
    },
    newColumns: { sort: 'integer' },
    row: ({ name, parent_id, school_id, seats }) => ({
      name: String(name),
      parent_id: Number(parent_id) || null,
      school_id: Number(school_id),
      seats: Number(seats ?? 0),
    }),
    said: ({ name, parent_id, school_id, seats }) => ({
      name: name ?? '',
      parent_id: parent_id ?? 0,
      school_id: school_id ?? 0,
      seats: seats ?? 0,
    }),
    notesWhole: true,
    ending: endByArchiving,
    removal: 'delete',
    open: (context) => open(kind, context),
  }) satisfies Omit<SimpleImporter, 'table'>;

export const gradeImporter = simpleImporter({ table: 'grade', ...commonImporter('grades') });
export const categoryImporter = simpleImporter({ table: 'classify', ...commonImporter('categories') });
export const subjectImporter = simpleImporter({ table: 'subject', ...commonImporter('subjects') });
export const roomImporter = simpleImporter({ table: 'room', ...commonImporter('rooms') });

async function open(kind: CatalogueKind, context: ImportContext): Promise<SimpleSession> {
  const { db, importer } = context;
  if (db.isTransaction) await withSchoolLock(db);
  const schools = isOfSchool(kind) ? await importerSchools(context) : undefined;
  const fault = isOfSchool(kind) ? undefined : everySchoolFault(importer);
  const seen = async () =>
    (await entriesOf(db, kind)).filter(({ school_id }) => !schools || schools.isKnown(school_id ?? 0));
  /** All entries, including those that this import is about to create. */
  let entries = await seen();
  let madeAhead = 0;
  const levelOf = ({ parent_id, school_id }: Record<string, FieldValue>) => ({
    parent_id: hasLevels(kind) ? Number(parent_id) || null : null,
    school_id: isOfSchool(kind) ? Number(school_id) || null : null,
  });
  return {
    rows: async (ids) =>
      (await seen())
        .filter(({ id }) => ids.includes(id))
        .map(({ id, name, parent_id, school_id, seats, put_away_at }) => ({
          id,
          name,
          parent_id,
          school_id,
          seats,
          put_away_at,
        })),
    // Matches by name, because names are unique within a level.
    findMatch: async (wanted) =>
      wanted.map((fields) => {
        const same = siblingsAt(entries, levelOf(fields)).find(
          (one) => one.id > 0 && isSameName(one.name, String(fields.name)),
        );
        return same && { record: String(same.id), isSure: true };
      }),
    diff: async (wanted) =>
      wanted.map(({ record: own, fields: written, before }): RecordDiff => {
        const { output, errors: wrong } = validateImported(CompleteEntry, {
          ...written,
          seats: String(written.seats ?? 0),
        });
        if (!output) return { errors: wrong };
        const level = levelOf(written);
        const fields = { ...output, ...level, seats: isOfSchool(kind) ? output.seats : 0 };
        const isSame = before !== undefined && hasSameFields(before, fields);
        const errors: FieldErrors = {};
        // An unchanged entry that all schools share is accepted, even if the actor may not change it.
        if (fault && !isSame) errors.name = [fault];
        const same = siblingsAt(entries, level).find(
          (one) => String(one.id) !== own && isSameName(one.name, fields.name),
        );
        if (same && !isSame)
          errors.name = [nameTakenMessage(kind, { name: same.name, is_put_away: same.put_away_at === null ? 0 : 1 })];
        if (schools && !schools.isOpen(fields.school_id) && before?.school_id !== fields.school_id)
          errors.school_id = [catalogueMessages.noSchool];
        else if (before !== undefined && before.school_id !== fields.school_id)
          errors.school_id = [catalogueMessages.schoolInUse];
        if (Object.keys(errors).length === 0) {
          madeAhead += 1;
          const entry = { ...emptyEntry, ...fields, sort: 0, depth: 0, put_away_at: null };
          entries =
            own === undefined
              ? [...entries, { ...entry, id: -madeAhead }]
              : entries.map((one) => (String(one.id) === own ? { ...one, ...fields } : one));
        }
        return fieldsOrErrors(fields, errors);
      }),
    async newRows(made) {
      const last = Math.max(0, ...(await entriesOf(db, kind)).map(({ sort }) => sort));
      return made.map((_, at) => ({ sort: last + at + 1 }));
    },
    async inUse(made) {
      const uses = await usesOf(db, viewerOf(importer), kind, idsOf(made));
      return new Map([...uses].map(([id, used]) => [String(id), inUseFault(used) ?? '']));
    },
  };
}

const hasSameFields = (stored: Fields, fields: Fields): boolean =>
  ['name', 'parent_id', 'school_id', 'seats'].every((name) => stored[name] === fields[name]);
