/** Imports the members of groups, by the rules of `groups.ts`. */

import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds, valuesTable } from '#server/platform/db/json-rows.ts';
import { deleteRows, insertRows } from '#server/platform/db/rows.ts';
import {
  type Fields,
  fieldsOrErrors,
  groupRows,
  historyOf,
  type ImportContext,
  type Importer,
  type ImporterSession,
  membershipId,
  type RecordDiff,
  viewerOf,
} from '#server/school/importer.ts';
import { importedClassMessages, missingGroup } from './rules.ts';
import { adminClasses } from './visible.ts';

/** A record is one student's place in one course of a class. A move to another group changes this record. */
export const importedGroupMembers: Importer = {
  needs: 'teaching',
  refers: { group_id: 'group', student_id: 'student' },
  scalars: [],
  defaults: { group_id: 0, student_id: 0 },
  naturalKey: ({ group_id, student_id }) => membershipId(group_id, student_id),
  facts: ({ group_id }) => ({ group_id: group_id ?? 0 }),
  leaves: true,
  open: openPlaces,
};

async function openPlaces(context: ImportContext): Promise<ImporterSession> {
  const { db, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  /** Class, course and student of each place that earlier rows of this import use, to find duplicates. */
  const placed = new Set<string>();

  /** Returns class and course of each group. */
  async function groupsOf(ids: readonly number[]) {
    const rows = await db
      .selectFrom('class_group')
      .select(['id', 'class_id', 'course_id'])
      .where('id', 'in', inIds(db, ids))
      .where('class_id', 'in', adminClasses(db, viewer).select('class.id'))
      .execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    return (id: number): { class_id: number; course_id: number } | undefined => {
      const ahead = foreseen('group', String(id));
      return ahead ? { class_id: Number(ahead.class_id), course_id: Number(ahead.course_id) } : known.get(id);
    };
  }
  const placesOf = async (rows: readonly Fields[]) => {
    const groupOf = await groupsOf(rows.map(({ group_id }) => Number(group_id)));
    return rows.map(({ group_id, student_id }) => {
      const group = groupOf(Number(group_id));
      return group && membershipId(group.class_id, group.course_id, student_id);
    });
  };
  const partsOf = (key: string) => {
    const [class_id = 0, course_id = 0, student_id = 0] = key.split(':').map(Number);
    return { class_id, course_id, student_id };
  };
  const columns = { class_id: 'integer', course_id: 'integer', student_id: 'integer' } as const;
  const membershipsOf = async (places: readonly ReturnType<typeof partsOf>[]) =>
    db
      .selectFrom('class_student')
      .innerJoin(valuesTable(db, columns, places), (on) =>
        on
          .onRef('given.class_id', '=', 'class_student.class_id')
          .onRef('given.student_id', '=', 'class_student.student_id'),
      )
      .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'given.course_id'])
      .select('class_student.left_at')
      .execute();

  /** Moves students into groups (0: into none) and writes a history row per group, as the screen does. */
  async function put(rows: readonly { record: string; group: number; from: number }[]): Promise<void> {
    const memberships = new Map(
      (await membershipsOf(rows.map((row) => partsOf(row.record)))).map((row) => [
        membershipId(row.class_id, row.course_id, row.student_id),
        row,
      ]),
    );
    const values = rows.flatMap(({ record: key, group }) => {
      const found = memberships.get(key);
      return found ? [{ class_student_id: found.id, course_id: Number(found.course_id), class_group_id: group }] : [];
    });
    const types = { class_student_id: 'integer', course_id: 'integer' } as const;
    await deleteRows(db, 'class_group_student', types, values);
    const inGroups = values.filter(({ class_group_id }) => class_group_id !== 0);
    await insertRows(db, 'class_group_student', { ...types, class_group_id: 'integer' }, inGroups);
    const students = (of: readonly { record: string }[]) => of.map((row) => partsOf(row.record).student_id);
    const note = historyOf(context, 'class_group');
    const left = rows.filter(({ from }) => from !== 0);
    await note('leave', [...groupRows(left, ({ from, group }) => membershipId(from, group))], ([key, its]) => {
      const [from = 0, group_id = 0] = key.split(':').map(Number);
      return { recordId: from, before: { student_ids: students(its) }, after: { group_id } };
    });
    const joined = rows.filter(({ group }) => group !== 0);
    await note('join', [...groupRows(joined, ({ group }) => group)], ([group, its]) => ({
      recordId: group,
      before: null,
      after: { student_ids: students(its) },
    }));
  }
  async function stored(records: readonly string[]) {
    const requested = new Set(records);
    const memberships = await membershipsOf(records.map(partsOf));
    const rows = await db
      .selectFrom('class_group_student')
      .innerJoin('class_student', 'class_student.id', 'class_group_student.class_student_id')
      .select(['class_student.class_id', 'class_student.student_id'])
      .select(['class_group_student.course_id', 'class_group_student.class_group_id'])
      .where(
        'class_group_student.class_student_id',
        'in',
        inIds(
          db,
          memberships.map(({ id }) => id),
        ),
      )
      .execute();
    return new Map(
      rows
        .map(
          ({ class_id, student_id, course_id, class_group_id }) =>
            [
              membershipId(class_id, course_id, student_id),
              { fields: { group_id: class_group_id, student_id }, isGone: false },
            ] as const,
        )
        .filter(([key]) => requested.has(key)),
    );
  }
  const groupIn = (fields: Fields) => Number(fields.group_id);

  return {
    stored,
    async findMatch(wanted) {
      const places = await placesOf(wanted);
      const present = await stored(places.flatMap((place) => place ?? []));
      return places.map((place) =>
        place !== undefined && present.has(place) ? { record: place, isSure: true } : undefined,
      );
    },
    async diff(wanted) {
      const places = await placesOf(wanted.map(({ fields }) => fields));
      const members = await membershipsOf(places.flatMap((place) => (place === undefined ? [] : [partsOf(place)])));
      const present = new Set(
        members
          .filter(({ left_at }) => left_at === null)
          .map(({ class_id, student_id }) => membershipId(class_id, student_id)),
      );
      return wanted.map(({ fields, record: known }, at): RecordDiff => {
        const place = places[at];
        if (place === undefined) return { errors: { group_id: [missingGroup] } };
        const { class_id, student_id } = partsOf(place);
        const errors: FieldErrors = {};
        const key = membershipId(class_id, student_id);
        if (!present.has(key) && !foreseen('membership', key)) errors.student_id = [importedClassMessages.notMember];
        else if (placed.has(place) || (known !== undefined && known !== place))
          errors.student_id = [importedClassMessages.placedTwice];
        if (Object.keys(errors).length === 0) placed.add(place);
        return fieldsOrErrors(fields, errors);
      });
    },
    newRecords: async (all) => (await placesOf(all)).map((place) => place ?? ''),
    async add(made) {
      await put(made.map((one) => ({ record: one.record, group: groupIn(one.fields), from: 0 })));
      return new Map();
    },
    async change(changed) {
      await put(
        changed.map(({ record: key, before, after }) => ({
          record: key,
          group: groupIn(after),
          from: groupIn(before),
        })),
      );
    },
    async end(ended) {
      await put(ended.map((one) => ({ record: one.record, group: 0, from: groupIn(one.fields) })));
      return new Map(ended.map((one) => [one.record, { group_id: groupIn(one.fields) }]));
    },
    restore: async () => new Map(),
    labels: (records) => labelsOf(db, records.map(partsOf)),
    effects: async () => new Map(),
    async remove(made) {
      await put(made.map((one) => ({ record: one.record, group: 0, from: groupIn(one.fields) })));
      return new Map();
    },
    async undoEnd(ended) {
      await put(
        ended.map((one) => ({ record: one.record, group: (one.trace as { group_id: number }).group_id, from: 0 })),
      );
    },
    undoRestore: async () => undefined,
  };
}

async function labelsOf(
  db: Database,
  places: readonly { class_id: number; course_id: number; student_id: number }[],
): Promise<Map<string, string>> {
  const types = { class_id: 'integer', course_id: 'integer', student_id: 'integer' } as const;
  const rows = await db
    .selectFrom(valuesTable(db, types, places))
    .innerJoin('class', 'class.id', 'given.class_id')
    .innerJoin('student', 'student.id', 'given.student_id')
    .select(['given.class_id', 'given.course_id', 'given.student_id', 'class.name', 'student.nickname'])
    .execute();
  return new Map(
    rows.map(({ class_id, course_id, student_id, name, nickname }) => [
      membershipId(Number(class_id), Number(course_id), Number(student_id)),
      `${name} ${nickname}`,
    ]),
  );
}
