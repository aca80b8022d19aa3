/** Grades, categories, subjects and rooms as an import has them, by the rules of `changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { alike, plainName } from '#server/platform/text/alike.ts';
import {
  type FieldValue,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
} from '#server/school/imported.ts';
import { oneAtATime } from '#server/school/one-at-a-time.ts';
import { CompleteEntry } from './contract.ts';
import { onLevel } from './levels.ts';
import {
  type CatalogueKind,
  catalogueMessages,
  everySchoolFault,
  hasLevels,
  inUseFault,
  isOfSchool,
  takenName,
} from './rules.ts';
import { entriesOf, plainEntry, shelves, usesOf } from './shelves.ts';

/** A kind of import for each catalogue that an upload may name. */
export const importedCatalogue = (kind: CatalogueKind): ImportedKind => {
  const refers: Record<string, string> = {};
  if (hasLevels(kind)) refers.parent_id = 'category';
  if (isOfSchool(kind)) refers.school_id = 'school';
  return {
    needs: 'teaching',
    ...(isOfSchool(kind) && { isShared: true as const }),
    refers,
    scalars: isOfSchool(kind) ? ['name', 'seats'] : ['name'],
    defaults: { name: '', parent_id: null, school_id: null, seats: 0 },
    labelOf: ({ name }) => String(name ?? ''),
    naturalKey: ({ name, parent_id, school_id }) => `${parent_id ?? ''} ${school_id ?? ''} ${plainName(String(name))}`,
    facts: ({ name, school_id }, isGone) => ({
      name: name ?? '',
      school_id: school_id ?? null,
      is_away: isGone ? 1 : 0,
    }),
    // Others use them: what an upload no longer names stays on offer.
    leaves: false,
    open: (context) => open(kind, context),
  };
};

async function open(kind: CatalogueKind, context: ImportContext): Promise<OpenKind> {
  const { db, now, importer } = context;
  const { record } = shelves[kind];
  if (db.isTransaction) await oneAtATime(db);
  const schools = isOfSchool(kind) ? await importerSchools(context) : undefined;
  const fault = isOfSchool(kind) ? undefined : everySchoolFault(importer);
  const seen = async () =>
    (await entriesOf(db, kind)).filter(({ school_id }) => !schools || schools.isKnown(school_id ?? 0));
  /** With what this import makes of them. */
  let entries = await seen();
  let madeAhead = 0;
  const levelOf = ({ parent_id, school_id }: Record<string, FieldValue>) => ({
    parent_id: hasLevels(kind) ? Number(parent_id) || null : null,
    school_id: isOfSchool(kind) ? Number(school_id) || null : null,
  });
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const said = ({ name, parent_id, school_id, seats }: Record<string, FieldValue>) => ({
    name: name ?? '',
    parent_id: parent_id ?? 0,
    school_id: school_id ?? 0,
    seats: seats ?? 0,
  });
  const keep = (id: number, fields: Record<string, FieldValue>) =>
    shelves[kind].change(db, id, {
      name: String(fields.name),
      ...(hasLevels(kind) && { parent_id: Number(fields.parent_id) || null }),
      ...(isOfSchool(kind) && { school_id: Number(fields.school_id), seats: Number(fields.seats) }),
    });
  const putAway = async (ids: readonly number[], at: number | null) => {
    for (const id of ids) await shelves[kind].change(db, id, { put_away_at: at });
    await note(
      at === null ? 'restore' : 'put-away',
      ids.map((recordId) => ({
        recordId,
        before: { is_put_away: at === null ? 1 : 0 },
        after: { is_put_away: at === null ? 0 : 1 },
      })),
    );
  };
  const idsOf = (records: readonly { record: string }[]) => records.map((one) => Number(one.record));

  return {
    async stored(records) {
      const asked = new Set(records);
      return new Map(
        (await seen())
          .filter(({ id }) => asked.has(String(id)))
          .map(({ id, name, parent_id, school_id, seats, put_away_at }) => [
            String(id),
            { fields: { name, parent_id, school_id, seats }, isGone: put_away_at !== null },
          ]),
      );
    },
    // No two of a level have one name.
    meant: async (wanted) =>
      wanted.map((fields) => {
        const same = onLevel(entries, levelOf(fields)).find(
          (one) => one.id > 0 && alike(one.name, String(fields.name)),
        );
        return same && { record: String(same.id), isSure: true };
      }),
    async judge(wanted) {
      return wanted.map(({ record: own, fields: written, before }): Judged => {
        const { output, errors: wrong } = heldTo(CompleteEntry, { ...written, seats: String(written.seats ?? 0) });
        if (!output) return { errors: wrong };
        const level = levelOf(written);
        const fields = { ...output, ...level, seats: isOfSchool(kind) ? output.seats : 0 };
        const isSame =
          before !== undefined &&
          before.name === fields.name &&
          before.parent_id === fields.parent_id &&
          before.school_id === fields.school_id &&
          before.seats === fields.seats;
        const errors: FieldErrors = {};
        // What stays as it is needs no permission of all schools.
        if (fault && !isSame) errors.name = [fault];
        const same = onLevel(entries, level).find((one) => String(one.id) !== own && alike(one.name, fields.name));
        if (same && !isSame)
          errors.name = [takenName(kind, { name: same.name, is_put_away: same.put_away_at === null ? 0 : 1 })];
        if (schools && !schools.isOpen(fields.school_id) && before?.school_id !== fields.school_id)
          errors.school_id = [catalogueMessages.noSchool];
        else if (before !== undefined && before.school_id !== fields.school_id)
          errors.school_id = [catalogueMessages.schoolInUse];
        if (Object.keys(errors).length === 0) {
          madeAhead += 1;
          const entry = { ...plainEntry, ...fields, sort: 0, depth: 0, put_away_at: null };
          entries =
            own === undefined
              ? [...entries, { ...entry, id: -madeAhead }]
              : entries.map((one) => (String(one.id) === own ? { ...one, ...fields } : one));
        }
        return orErrors(fields, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: record, record, count: fields.length })).map(String),
    async add(made) {
      const stored = await entriesOf(db, kind);
      const last = Math.max(0, ...stored.map(({ sort }) => sort));
      for (const [at, { record: id, fields }] of made.entries())
        await shelves[kind].add(db, {
          ...plainEntry,
          id: Number(id),
          name: String(fields.name),
          ...levelOf(fields),
          seats: Number(fields.seats ?? 0),
          sort: last + at + 1,
        });
      await note(
        'add',
        made.map(({ record: id, fields }) => ({ recordId: Number(id), before: null, after: said(fields) })),
      );
      return new Map();
    },
    async change(changed) {
      for (const { record: id, after } of changed) await keep(Number(id), after);
      await note(
        'edit',
        changed.map(({ record: id, before, after }) => ({
          recordId: Number(id),
          before: said(before),
          after: said(after),
        })),
      );
    },
    async end(ended) {
      await putAway(idsOf(ended), now);
      return new Map();
    },
    async comeBack(returning) {
      await putAway(idsOf(returning), null);
      const was = new Map((await seen()).map(({ id, put_away_at }) => [String(id), { put_away_at }]));
      return new Map(returning.map(({ record: id }) => [id, { put_away_at: was.get(id)?.put_away_at ?? now }]));
    },
    effects: async () => new Map(),
    async remove(made) {
      const viewer = { id: importer.id ?? 0, everySchool: importer.everySchool };
      const uses = await usesOf(db, viewer, kind, idsOf(made));
      const kept = new Map<string, string>();
      for (const { record: id, fields } of made) {
        const why = inUseFault(uses.get(Number(id)) ?? '');
        if (why) kept.set(id, why);
        else {
          await shelves[kind].remove(db, Number(id));
          await note('delete', [{ recordId: Number(id), before: said(fields), after: null }]);
        }
      }
      return kept;
    },
    unend: (ended) => putAway(idsOf(ended), null),
    unreturn: (returned) => putAway(idsOf(returned), now),
  };
}
