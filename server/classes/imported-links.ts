/** Imports which courses classes take, and who looks after them, by the rules of `administered-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { schoolsOf } from '#server/school/administered.ts';
import { coursesTaken, leaveCourses, takeCourses } from '#server/school/assignments.ts';
import {
  endsOf,
  type Fields,
  grouped,
  groupedValues,
  historyOf,
  type ImportContext,
  type ImportedKind,
  importerStaff,
  type Judged,
  joinedIds,
  type MadeRecord,
  type OpenKind,
  orErrors,
  viewerOf,
} from '#server/school/imported.ts';
import { crewOf, leaveDuties, takeDuties } from '#server/school/reach.ts';
import { namedClasses } from './imported.ts';
import {
  disabledStaffFault,
  groupedFault,
  importedClassMessages,
  missingAssistant,
  missingClass,
  missingCourse,
  missingLecturer,
  takenCourseFault,
} from './rules.ts';

const nothing = async () => new Map<string, never>();

/** What is there or not, without a state of its own: coming back is being made, and taking back an end is too. */
function plainLinks(
  kind: Pick<OpenKind, 'stored' | 'judge' | 'endFaults' | 'effects'>,
  write: { add(made: readonly MadeRecord[]): Promise<void>; end(ended: readonly MadeRecord[]): Promise<void> },
  fields: [one: string, other: string],
): OpenKind {
  const add = async (made: readonly MadeRecord[]) => {
    await write.add(made);
    return new Map();
  };
  const end = async (ended: readonly MadeRecord[]) => {
    await write.end(ended);
    return new Map(ended.map(({ record, fields: its }) => [record, its]));
  };
  const keyOf = (one: MadeRecord['fields']) => joinedIds(one[fields[0]], one[fields[1]]);
  return {
    ...kind,
    async meant(wanted) {
      const stored = await kind.stored(wanted.map(keyOf));
      return wanted.map((one) => (stored.has(keyOf(one)) ? { record: keyOf(one), isSure: true } : undefined));
    },
    newRecords: async (all) => all.map(keyOf),
    add,
    change: async () => undefined,
    end,
    comeBack: add,
    async remove(made) {
      await write.end(made);
      return new Map();
    },
    async unend(ended) {
      await write.add(ended.map(({ record, trace }) => ({ record, fields: trace as Fields })));
    },
    async unreturn(returned) {
      await write.end(returned);
    },
  };
}

const classIdsOf = (records: readonly { record: string }[]): number[] => [
  ...new Set(records.map(({ record }) => endsOf(record)[0])),
];

async function classesOf({ db, importer, foreseen }: ImportContext, ids: readonly number[]): Promise<Set<number>> {
  const rows = await namedClasses(db, viewerOf(importer), ids);
  return new Set([
    ...rows.map(({ id }) => id),
    ...ids.filter((id) => foreseen('class', String(id)) ?? foreseen('group_class', String(id))),
  ]);
}

// ---- courses --------------------------------------------------------------------------------------------

export const importedClassCourses: ImportedKind = {
  needs: 'teaching',
  refers: { class_id: ['class', 'group_class'], course_id: 'course' },
  scalars: [],
  isBetween: true,
  defaults: { class_id: 0, course_id: 0 },
  naturalKey: ({ class_id, course_id }) => joinedIds(class_id, course_id),
  facts: ({ class_id, course_id }) => ({ class_id: class_id ?? 0, course_id: course_id ?? 0 }),
  leaves: true,
  open: openCourses,
};

async function openCourses(context: ImportContext): Promise<OpenKind> {
  const { db, importer, foreseen, isEnding } = context;
  async function courseFacts(ids: readonly number[]) {
    const rows = await db
      .selectFrom('course')
      .where('course.school_id', 'in', schoolsOf(db, viewerOf(importer)))
      .select(['course.id', 'course.title', 'course.put_away_at'])
      .select((eb) =>
        eb
          .selectFrom('course as child')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('child.parent_id', '=', 'course.id')
          .as('children'),
      )
      .where('course.id', 'in', inIds(db, ids))
      .execute();
    const known = new Map(rows.map(({ children, ...row }) => [row.id, { ...row, is_parent: Number(children) > 0 }]));
    return (id: number) => {
      const ahead = foreseen('course', String(id));
      const stored = known.get(id);
      if (!ahead) return stored;
      const is_parent = ahead.is_parent === 1 || (stored?.is_parent ?? false);
      return { title: String(ahead.title), put_away_at: ahead.is_away === 1 ? 1 : null, is_parent };
    };
  }

  /** By class, which courses it takes; written as a class's change of courses. */
  async function changing(records: readonly MadeRecord[], write: () => Promise<void>): Promise<void> {
    const ids = classIdsOf(records);
    const idsBy = async () =>
      groupedValues(
        await coursesTaken(db, ids),
        ({ class_id }) => class_id,
        ({ course_id }) => course_id,
      );
    const before = await idsBy();
    await write();
    const after = await idsBy();
    await historyOf(context, 'class')('courses', ids, (id) => ({
      recordId: id,
      before: { course_ids: before.get(id) ?? [] },
      after: { course_ids: after.get(id) ?? [] },
    }));
  }
  const rowsOf = (records: readonly MadeRecord[]) =>
    records.map(({ record }) => {
      const [class_id, course_id] = endsOf(record);
      return { class_id, course_id };
    });

  return plainLinks(
    {
      async stored(records) {
        const taken = await coursesTaken(
          db,
          records.map((record) => endsOf(record)[0]),
        );
        const asked = new Set(records);
        return new Map(
          taken
            .map(
              (fields) =>
                [joinedIds(fields.class_id, fields.course_id), { fields: { ...fields }, isGone: false }] as const,
            )
            .filter(([record]) => asked.has(record)),
        );
      },
      async judge(wanted) {
        const classes = await classesOf(context, [...new Set(wanted.map(({ fields }) => Number(fields.class_id)))]);
        const courseOf = await courseFacts([...new Set(wanted.map(({ fields }) => Number(fields.course_id)))]);
        return wanted.map(({ fields, record }): Judged => {
          const errors: FieldErrors = {};
          const course = courseOf(Number(fields.course_id));
          if (!classes.has(Number(fields.class_id))) errors.class_id = [missingClass];
          const fault = course ? takenCourseFault(course) : missingCourse;
          if (fault && record === undefined) errors.course_id = [fault];
          return orErrors(fields, errors);
        });
      },
      async endFaults(ended) {
        const groups = await db
          .selectFrom('class_group')
          .innerJoin('course', 'course.id', 'class_group.course_id')
          .select(['class_group.id', 'class_group.class_id', 'class_group.course_id', 'course.title'])
          .where('class_group.class_id', 'in', inIds(db, classIdsOf(ended)))
          .execute();
        const left = groups.filter(({ id }) => !isEnding('group', String(id)));
        return new Map(
          [...grouped(left, ({ class_id, course_id }) => joinedIds(class_id, course_id))].flatMap(
            ([record, its]): [string, string][] => {
              const fault = groupedFault({ titles: `《${its[0]?.title}》`, groups: its.length });
              return fault ? [[record, fault]] : [];
            },
          ),
        );
      },
      effects: nothing,
    },
    {
      add: (made) => changing(made, () => takeCourses(db, rowsOf(made))),
      end: (ended) => changing(ended, () => leaveCourses(db, rowsOf(ended))),
    },
    ['class_id', 'course_id'],
  );
}

// ---- people ---------------------------------------------------------------------------------------------

export const importedClassStaff: ImportedKind = {
  needs: 'teaching',
  refers: { class_id: ['class', 'group_class'], staff_id: 'staff' },
  isBetween: true,
  scalars: ['duty'],
  defaults: { class_id: 0, staff_id: 0, duty: null },
  naturalKey: ({ class_id, staff_id }) => joinedIds(class_id, staff_id),
  facts: ({ duty }) => ({ duty: duty ?? '' }),
  leaves: true,
  open: openStaff,
};

/** The duty of somebody in a class, by their identity. */
export const dutyOf = (identity: unknown) => (identity === 'assist' ? 'assistant' : 'head');

async function openStaff(context: ImportContext): Promise<OpenKind> {
  const { db } = context;
  /** A change of who looks after a class, as the history has it. */
  async function changing(records: readonly MadeRecord[], write: () => Promise<void>): Promise<void> {
    const ids = classIdsOf(records);
    const crews = async () => grouped(await crewOf(db, ids), ({ class_id }) => class_id);
    const before = await crews();
    await write();
    const after = await crews();
    const said = (crew: typeof before, id: number) => {
      const of = (duty: string) =>
        (crew.get(id) ?? []).filter((one) => one.duty === duty).map(({ staff_id }) => staff_id);
      return { head_ids: of('head'), assistant_ids: of('assistant') };
    };
    await historyOf(context, 'class')('staff', ids, (id) => ({
      recordId: id,
      before: said(before, id),
      after: said(after, id),
    }));
  }
  const rowsOf = (records: readonly MadeRecord[]) =>
    records.map(({ record, fields }) => {
      const [class_id, staff_id] = endsOf(record);
      return { class_id, staff_id, duty: fields.duty === 'assistant' ? ('assistant' as const) : ('head' as const) };
    });

  return plainLinks(
    {
      async stored(records) {
        const crew = await crewOf(
          db,
          records.map((record) => endsOf(record)[0]),
        );
        const asked = new Set(records);
        const personOf = await importerStaff(context, [...new Set(crew.map(({ staff_id }) => staff_id))]);
        const isOwnDuty = ({ staff_id, duty }: (typeof crew)[number]) => duty === dutyOf(personOf(staff_id)?.identity);
        return new Map(
          // A person may hold both duties: the one of their identity comes last and wins.
          crew
            .toSorted((one, other) => Number(isOwnDuty(one)) - Number(isOwnDuty(other)))
            .map(
              (fields) =>
                [joinedIds(fields.class_id, fields.staff_id), { fields: { ...fields }, isGone: false }] as const,
            )
            .filter(([record]) => asked.has(record)),
        );
      },
      async judge(wanted) {
        const classes = await classesOf(context, [...new Set(wanted.map(({ fields }) => Number(fields.class_id)))]);
        const personOf = await importerStaff(context, [
          ...new Set(wanted.map(({ fields }) => Number(fields.staff_id))),
        ]);
        return wanted.map(({ fields, record }): Judged => {
          const errors: FieldErrors = {};
          const person = personOf(Number(fields.staff_id));
          const duty = person ? dutyOf(person.identity) : 'head';
          if (!classes.has(Number(fields.class_id))) errors.class_id = [missingClass];
          if (!person || person.identity === 'admin')
            errors.staff_id = [fields.duty === 'assistant' ? missingAssistant : missingLecturer];
          else if (fields.duty && fields.duty !== duty) errors.duty = [importedClassMessages.duty];
          const fault = person && disabledStaffFault(person);
          if (fault && record === undefined) errors.staff_id = [fault];
          return orErrors({ ...fields, duty }, errors);
        });
      },
      effects: nothing,
    },
    {
      add: (made) => changing(made, () => takeDuties(db, rowsOf(made))),
      end: (ended) => changing(ended, () => leaveDuties(db, rowsOf(ended))),
    },
    ['class_id', 'staff_id'],
  );
}
