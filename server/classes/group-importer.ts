/** Imports groups: the students of a class who are taught a course together. The rules in `groups.ts` apply. */

import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { deleteRows, insertRows, updateRows } from '#server/platform/db/rows.ts';
import {
  type AddedRecord,
  deletionChanges,
  distinctIds,
  type Fields,
  fieldsOrErrors,
  groupRows,
  historyOf,
  historyOfAdditions,
  historyOfWholeEdits,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsFromText,
  idsOf,
  idsToText,
  membershipId,
  messagesPerRecord,
  newIds,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { classStaffOf } from '#server/school/staff-duties.ts';
import { CompleteGroup } from './groups.contract.ts';
import { namedClasses } from './importer.ts';
import { classWritingMessages, groupRemovalFault, importedClassMessages, missingClass } from './rules.ts';
import { adminClasses } from './visible.ts';

const record = 'class_group';

export const importedGroups: Importer = {
  needs: 'teaching',
  refers: { class_id: 'class', course_id: 'course' },
  refersToMany: { staff_ids: 'staff' },
  scalars: ['group_name'],
  defaults: { class_id: 0, course_id: 0, group_name: '', staff_ids: '' },
  fixed: { class_id: importedClassMessages.groupPlace, course_id: importedClassMessages.groupPlace },
  labelOf: ({ group_name }) => String(group_name ?? ''),
  naturalKey: ({ class_id, course_id, group_name }) => membershipId(class_id, course_id, group_name),
  facts: ({ class_id, course_id, group_name }) => ({
    class_id: class_id ?? 0,
    course_id: course_id ?? 0,
    group_name: group_name ?? '',
  }),
  leaves: true,
  open: openGroups,
};

async function openGroups(context: ImportContext): Promise<ImporterSession> {
  const { db, importer, foreseen, isEnding } = context;
  const viewer = viewerOf(importer);
  const note = historyOf(context, record);
  const ofMine = () =>
    db
      .selectFrom('class_group')
      .select(['class_group.id', 'class_group.class_id', 'class_group.course_id', 'class_group.group_name'])
      .where('class_group.class_id', 'in', adminClasses(db, viewer).select('class.id'));
  /** Group names that earlier rows of this import use, to find duplicates. */
  const taken = new Map<string, string>();

  async function keepStaff(rows: readonly AddedRecord[]): Promise<void> {
    const pairs = rows.flatMap(({ record: id, fields }) =>
      idsFromText(fields.staff_ids).map((staff_id) => ({ class_group_id: Number(id), staff_id })),
    );
    const ids = inIds(db, idsOf(rows));
    await db.deleteFrom('class_group_staff').where('class_group_id', 'in', ids).execute();
    await insertRows(db, 'class_group_staff', { class_group_id: 'integer', staff_id: 'integer' }, pairs);
  }
  async function insert(rows: readonly AddedRecord[]): Promise<void> {
    const columns = { id: 'integer', class_id: 'integer', course_id: 'integer', group_name: 'text' } as const;
    const values = rows.map(({ record: id, fields }) => ({
      id: Number(id),
      class_id: Number(fields.class_id),
      course_id: Number(fields.course_id),
      group_name: String(fields.group_name),
    }));
    await insertRows(db, 'class_group', columns, values);
    await keepStaff(rows);
    await note('add', historyOfAdditions(rows, historyFields));
  }
  async function erase(rows: readonly AddedRecord[]): Promise<void> {
    await deleteRows(
      db,
      'class_group',
      { id: 'integer' },
      idsOf(rows).map((id) => ({ id })),
    );
    await note('remove', deletionChanges(rows, historyFields));
  }
  /** Counts the members of each group, except those that this import removes. */
  async function membersOf(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await db
      .selectFrom('class_group_student')
      .innerJoin('class_student', 'class_student.id', 'class_group_student.class_student_id')
      .select(['class_group_student.class_group_id', 'class_group_student.course_id'])
      .select(['class_student.class_id', 'class_student.student_id'])
      .where('class_group_student.class_group_id', 'in', inIds(db, ids))
      .execute();
    const left = rows.filter(({ class_id, course_id, student_id, class_group_id }) => {
      const place = membershipId(class_id, course_id, student_id);
      const ahead = foreseen('group_member', place);
      return !isEnding('group_member', place) && (ahead?.group_id ?? class_group_id) === class_group_id;
    });
    return new Map([...groupRows(left, ({ class_group_id }) => class_group_id)].map(([id, its]) => [id, its.length]));
  }
  const faultsOf = async (rows: readonly { record: string }[]) => {
    const members = await membersOf(idsOf(rows));
    return messagesPerRecord(rows, async (id) => groupRemovalFault({ students_count: members.get(id) ?? 0 }));
  };

  return {
    async stored(records) {
      const ids = records.map(Number);
      const rows = await forUpdate(db)(ofMine().where('class_group.id', 'in', inIds(db, ids)), [
        'class_group',
      ]).execute();
      const staff = groupRows(
        await db.selectFrom('class_group_staff').selectAll().where('class_group_id', 'in', inIds(db, ids)).execute(),
        ({ class_group_id }) => class_group_id,
      );
      return new Map(
        rows.map(({ id, ...fields }) => {
          const staff_ids = idsToText((staff.get(id) ?? []).map(({ staff_id }) => staff_id));
          return [String(id), { fields: { ...fields, staff_ids }, isGone: false }];
        }),
      );
    },
    async findMatch(wanted) {
      const classIds = [...new Set(wanted.map(({ class_id }) => Number(class_id)))];
      const rows = await ofMine().where('class_group.class_id', 'in', inIds(db, classIds)).execute();
      const known = new Map(
        rows.map((row) => [membershipId(row.class_id, row.course_id, row.group_name), String(row.id)]),
      );
      return wanted.map(({ class_id, course_id, group_name }) => {
        const same = known.get(membershipId(class_id, course_id, group_name));
        return same === undefined ? undefined : { record: same, isSure: true };
      });
    },
    async diff(wanted) {
      const classIds = distinctIds(wanted, 'class_id');
      const classes = new Set((await namedClasses(db, viewer, classIds)).map(({ id }) => id));
      const courses = await db
        .selectFrom('class_course')
        .selectAll()
        .where('class_id', 'in', inIds(db, classIds))
        .execute();
      const taught = new Set(courses.map(({ class_id, course_id }) => membershipId(class_id, course_id)));
      const crew = new Set(
        (await classStaffOf(db, classIds)).map(({ class_id, staff_id, duty }) =>
          membershipId(class_id, staff_id, duty),
        ),
      );
      const others = await ofMine().where('class_group.class_id', 'in', inIds(db, classIds)).execute();
      const names = new Map(
        others.map((row) => [membershipId(row.class_id, row.course_id, row.group_name), String(row.id)]),
      );
      return wanted.map(({ fields, record: known }): RecordDiff => {
        const { class_id, course_id } = fields;
        const staffIds = idsFromText(fields.staff_ids);
        const { output, errors: wrong } = validateImported(CompleteGroup, {
          group_name: fields.group_name ?? '',
          staff_ids: staffIds,
        });
        const errors: FieldErrors = { ...wrong };
        const isClass = classes.has(Number(class_id)) || foreseen('class', String(class_id)) !== undefined;
        if (!isClass) errors.class_id = [missingClass];
        else if (
          !taught.has(membershipId(class_id, course_id)) &&
          !foreseen('class_course', membershipId(class_id, course_id))
        )
          errors.course_id = [classWritingMessages.groupCourse];
        const assists = (id: number) =>
          foreseen('class_staff', membershipId(class_id, id))?.duty === 'assistant' ||
          crew.has(membershipId(class_id, id, 'assistant'));
        if (isClass && !staffIds.every(assists)) errors.staff_ids = [classWritingMessages.groupStaff];
        if (!output) return { errors };
        const key = membershipId(class_id, course_id, output.group_name);
        const namesake = taken.get(key) ?? names.get(key);
        if (namesake !== undefined && namesake !== known) errors.group_name = [classWritingMessages.groupTaken];
        if (Object.keys(errors).length === 0) taken.set(key, known ?? 'new');
        const faults = { class_id: class_id ?? 0, course_id: course_id ?? 0 };
        return fieldsOrErrors(
          { ...faults, group_name: output.group_name, staff_ids: idsToText(output.staff_ids) },
          errors,
        );
      });
    },
    newRecords: (all) => newIds(db, record, all),
    async add(made) {
      await insert(made);
      return new Map();
    },
    async change(changed) {
      const rows = changed.map(({ record: id, after }) => ({ id: Number(id), group_name: String(after.group_name) }));
      await updateRows(db, 'class_group', { id: 'integer', group_name: 'text' }, rows);
      await keepStaff(changed.map(({ record: id, after }) => ({ record: id, fields: after })));
      await note('edit', historyOfWholeEdits(changed, historyFields));
    },
    async end(ended) {
      await erase(ended);
      return new Map(ended.map((one) => [one.record, one.fields]));
    },
    /** Groups are deleted, not archived, so restoring does nothing: a returning group is created again. */
    restore: async () => new Map(),
    effects: async () => new Map(),
    endFaults: faultsOf,
    async remove(made) {
      const faults = await faultsOf(made);
      await erase(made.filter(({ record: id }) => !faults.has(id)));
      return faults;
    },
    undoEnd: (ended) => insert(ended.map(({ record: id, trace }) => ({ record: id, fields: trace as Fields }))),
    undoRestore: async () => undefined,
  };
}

const historyFields = ({ class_id, course_id, group_name, staff_ids }: Fields) => ({
  class_id,
  course_id,
  group_name,
  staff_ids: idsFromText(staff_ids),
});
