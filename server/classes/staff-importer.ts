/** Imports which courses and which staff classes have, by the rules of `class-staff-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { addCoursesToClasses, coursesOfClasses, removeCoursesFromClasses } from '#server/school/assignments.ts';
import {
  type AddedRecord,
  distinctIds,
  type Fields,
  fieldsOrErrors,
  groupRows,
  historyOf,
  type ImportContext,
  type Importer,
  type ImporterSession,
  importerStaff,
  membershipEnds,
  membershipId,
  type RecordDiff,
  viewerOf,
} from '#server/school/importer.ts';
import { addDuties, classStaffOf, removeDuties } from '#server/school/staff-duties.ts';
import { namedClasses } from './importer.ts';
import {
  disabledStaffFault,
  groupsExistFault,
  importedClassMessages,
  missingAssistant,
  missingClass,
  missingCourse,
  missingLecturer,
  takenCourseFault,
} from './rules.ts';

type Link = Fields & { class_id: number };

interface Links<L extends Link> {
  /** Says how one kind of link (class to course, or class to person) is read and written. */
  field: keyof L & string;
  of(classIds: readonly number[]): Promise<L[]>;
  /** Sorts the links. If two of them connect the same class and person, the last one counts as the stored link. */
  inOrder?(links: L[]): Promise<L[]>;
  linkOf(fields: Fields): L;
  take(links: readonly L[]): Promise<void>;
  leave(links: readonly L[]): Promise<void>;
  /** Action and fields of the history row of the class. */
  action: string;
  said(links: readonly L[]): object;
}

/** A link exists or does not; it has no archived state. So restoring a link, and undoing its end, creates it again. */
function openLinks<L extends Link>(
  context: ImportContext,
  { field, of, inOrder = async (links) => links, linkOf, take, leave, action, said }: Links<L>,
  rules: Pick<ImporterSession, 'diff' | 'endFaults'>,
): ImporterSession {
  const keyOf = (fields: Fields) => membershipId(fields.class_id, fields[field]);
  async function changing(
    write: (links: readonly L[]) => Promise<void>,
    records: readonly { record: string; fields: Fields }[],
  ): Promise<void> {
    const links = records.map(({ record, fields }) => {
      const [class_id, other] = membershipEnds(record);
      return linkOf({ ...fields, class_id, [field]: other });
    });
    const ids = [...new Set(links.map(({ class_id }) => class_id))];
    const byClass = async () => groupRows(await of(ids), ({ class_id }) => class_id);
    const before = await byClass();
    await write(links);
    const after = await byClass();
    await historyOf(context, 'class')(action, ids, (id) => ({
      recordId: id,
      before: said(before.get(id) ?? []),
      after: said(after.get(id) ?? []),
    }));
  }
  async function stored(records: readonly string[]) {
    const requested = new Set(records);
    const links = await inOrder(await of(records.map((record) => membershipEnds(record)[0])));
    return new Map(
      links
        .map((link): [string, { fields: Fields; isGone: false }] => [keyOf(link), { fields: link, isGone: false }])
        .filter(([record]) => requested.has(record)),
    );
  }
  const add = async (made: readonly AddedRecord[]) => {
    await changing(take, made);
    return new Map();
  };
  return {
    ...rules,
    stored,
    async findMatch(wanted) {
      const known = await stored(wanted.map(keyOf));
      return wanted.map((one) => (known.has(keyOf(one)) ? { record: keyOf(one), isSure: true } : undefined));
    },
    newRecords: async (all) => all.map(keyOf),
    add,
    change: async () => undefined,
    async end(ended) {
      await changing(leave, ended);
      return new Map(ended.map(({ record, fields }) => [record, fields]));
    },
    restore: add,
    effects: async () => new Map(),
    async remove(made) {
      await changing(leave, made);
      return new Map();
    },
    undoEnd: (ended) =>
      changing(
        take,
        ended.map(({ record, trace }) => ({ record, fields: trace as Fields })),
      ),
    undoRestore: (returned) => changing(leave, returned),
  };
}

async function classesOf({ db, importer, foreseen }: ImportContext, ids: readonly number[]): Promise<Set<number>> {
  const rows = await namedClasses(db, viewerOf(importer), ids);
  return new Set([
    ...rows.map(({ id }) => id),
    ...ids.filter((id) => foreseen('class', String(id)) ?? foreseen('group_class', String(id))),
  ]);
}

// ---- courses --------------------------------------------------------------------------------------------

export const importedClassCourses: Importer = {
  needs: 'teaching',
  refers: { class_id: ['class', 'group_class'], course_id: 'course' },
  scalars: [],
  isMembership: true,
  defaults: { class_id: 0, course_id: 0 },
  naturalKey: ({ class_id, course_id }) => membershipId(class_id, course_id),
  facts: ({ class_id, course_id }) => ({ class_id: class_id ?? 0, course_id: course_id ?? 0 }),
  leaves: true,
  open: openCourses,
};

async function openCourses(context: ImportContext): Promise<ImporterSession> {
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

  return openLinks(
    context,
    {
      field: 'course_id',
      of: async (classIds) => (await coursesOfClasses(db, classIds)).map((one) => ({ ...one })),
      linkOf: ({ class_id, course_id }) => ({ class_id: Number(class_id), course_id: Number(course_id) }),
      take: (links) => addCoursesToClasses(db, links),
      leave: (links) => removeCoursesFromClasses(db, links),
      action: 'courses',
      said: (links) => ({ course_ids: links.map(({ course_id }) => course_id) }),
    },
    {
      async diff(wanted) {
        const classes = await classesOf(context, distinctIds(wanted, 'class_id'));
        const courseOf = await courseFacts(distinctIds(wanted, 'course_id'));
        return wanted.map(({ fields, record }): RecordDiff => {
          const errors: FieldErrors = {};
          const course = courseOf(Number(fields.course_id));
          if (!classes.has(Number(fields.class_id))) errors.class_id = [missingClass];
          const fault = course ? takenCourseFault(course) : missingCourse;
          if (fault && record === undefined) errors.course_id = [fault];
          return fieldsOrErrors(fields, errors);
        });
      },
      async endFaults(ended) {
        const groups = await db
          .selectFrom('class_group')
          .innerJoin('course', 'course.id', 'class_group.course_id')
          .select(['class_group.id', 'class_group.class_id', 'class_group.course_id', 'course.title'])
          .where(
            'class_group.class_id',
            'in',
            inIds(
              db,
              ended.map(({ record }) => membershipEnds(record)[0]),
            ),
          )
          .execute();
        const left = groups.filter(({ id }) => !isEnding('group', String(id)));
        return new Map(
          [...groupRows(left, ({ class_id, course_id }) => membershipId(class_id, course_id))].flatMap(
            ([record, its]): [string, string][] => {
              const fault = groupsExistFault({ titles: `《${its[0]?.title}》`, groups: its.length });
              return fault ? [[record, fault]] : [];
            },
          ),
        );
      },
    },
  );
}

// ---- people ---------------------------------------------------------------------------------------------

export const importedClassStaff: Importer = {
  needs: 'teaching',
  refers: { class_id: ['class', 'group_class'], staff_id: 'staff' },
  isMembership: true,
  scalars: ['duty'],
  defaults: { class_id: 0, staff_id: 0, duty: null },
  naturalKey: ({ class_id, staff_id }) => membershipId(class_id, staff_id),
  facts: ({ duty }) => ({ duty: duty ?? '' }),
  leaves: true,
  open: openStaff,
};

/** The duty that a person gets in a class: assistants assist, lecturers are head teachers. */
export const dutyOf = (identity: unknown) => (identity === 'assist' ? 'assistant' : 'head');

async function openStaff(context: ImportContext): Promise<ImporterSession> {
  const { db } = context;
  return openLinks(
    context,
    {
      field: 'staff_id',
      of: async (classIds) => (await classStaffOf(db, classIds)).map((one) => ({ ...one })),
      /** A person may hold both duties in a class. The one that fits their identity sorts last, so that it counts. */
      async inOrder(crew) {
        const personOf = await importerStaff(context, [...new Set(crew.map(({ staff_id }) => staff_id))]);
        return crew.toSorted((one, other) => {
          const isOwn = ({ staff_id, duty }: typeof one) => duty === dutyOf(personOf(staff_id)?.identity);
          return Number(isOwn(one)) - Number(isOwn(other));
        });
      },
      linkOf: ({ class_id, staff_id, duty }) => ({
        class_id: Number(class_id),
        staff_id: Number(staff_id),
        duty: duty === 'assistant' ? ('assistant' as const) : ('head' as const),
      }),
      take: (links) => addDuties(db, links),
      leave: (links) => removeDuties(db, links),
      action: 'staff',
      said(links) {
        const idsOf = (held: string) => links.filter(({ duty }) => duty === held).map(({ staff_id }) => staff_id);
        return { head_ids: idsOf('head'), assistant_ids: idsOf('assistant') };
      },
    },
    {
      async diff(wanted) {
        const classes = await classesOf(context, distinctIds(wanted, 'class_id'));
        const personOf = await importerStaff(context, distinctIds(wanted, 'staff_id'));
        return wanted.map(({ fields, record }): RecordDiff => {
          const errors: FieldErrors = {};
          const person = personOf(Number(fields.staff_id));
          const duty = person ? dutyOf(person.identity) : 'head';
          if (!classes.has(Number(fields.class_id))) errors.class_id = [missingClass];
          if (!person || person.identity === 'admin')
            errors.staff_id = [fields.duty === 'assistant' ? missingAssistant : missingLecturer];
          else if (fields.duty && fields.duty !== duty) errors.duty = [importedClassMessages.duty];
          const fault = person && disabledStaffFault(person);
          if (fault && record === undefined) errors.staff_id = [fault];
          return fieldsOrErrors({ ...fields, duty }, errors);
        });
      },
    },
  );
}
