/** Courses as an import has them, many at a time, by the rules of `course-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { among, amongTexts, given } from '#server/platform/db/given.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import {
  editsNoted,
  type Fields,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  removalsNoted,
  viewerOf,
} from '#server/school/imported.ts';
import { CompleteNewCourse } from './contract.ts';
import { affectedBy, recordsOf } from './record.ts';
import { courseKinds, courseMessages, deleteCourseFault, effectSaid, importedCourseMessages, kindOf } from './rules.ts';
import { administeredCourses } from './visible.ts';

const record = 'course';
const numbers = (records: readonly string[]) => records.map(Number);

export const importedCourses: ImportedKind = {
  needs: 'teaching',
  refers: {
    school_id: 'school',
    classify_id: 'category',
    grade_id: 'grade',
    subject_id: 'subject',
    parent_id: 'course',
    cover_of_id: 'course',
  },
  atFirst: ['cover_of_id'],
  scalars: ['title', 'course_type', 'introduction', 'course_extend'],
  defaults: {
    title: '',
    course_type: 1,
    school_id: 0,
    classify_id: null,
    grade_id: null,
    subject_id: null,
    parent_id: null,
    introduction: '',
    course_extend: 0,
  },
  fixed: { school_id: importedCourseMessages.school },
  labelOf: ({ title }) => String(title ?? ''),
  naturalKey: ({ title, school_id }) => `${school_id} ${title}`,
  facts: ({ title, course_type, school_id, parent_id }, isGone) => ({
    title: title ?? '',
    course_type: course_type ?? 1,
    school_id: school_id ?? 0,
    parent_id: parent_id ?? null,
    is_away: isGone ? 1 : 0,
  }),
  leaves: true,
  open,
};

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const [classifies, grades, subjects] = await Promise.all([
    db.selectFrom('classify').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('grade').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('subject').select('id').where('put_away_at', 'is', null).execute(),
  ]);
  const ids = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const offered = { category: ids(classifies), grade: ids(grades), subject: ids(subjects) };
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const courses = () =>
    administeredCourses(db, viewer).select([
      'course.id',
      'course.title',
      'course.course_type',
      'course.school_id',
      'course.classify_id',
      'course.grade_id',
      'course.subject_id',
      'course.parent_id',
      'course.introduction',
      'course.course_extend',
      'course.put_away_at',
    ]);

  /** The covers of these, by their ids. */
  async function coversOf(of: readonly number[]): Promise<Map<number, string>> {
    const asked = [...new Set(of.filter((id) => id > 0))];
    if (asked.length === 0) return new Map();
    const rows = await administeredCourses(db, viewer)
      .select(['course.id', 'course.cover_img'])
      .where('course.id', 'in', among(db, asked))
      .execute();
    return new Map(rows.map(({ id, cover_img }) => [id, cover_img]));
  }

  async function parentFacts(parents: readonly number[]) {
    const rows = await courses().where('course.id', 'in', among(db, parents)).execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    return (id: number) => {
      const ahead = foreseen('course', String(id));
      // Of one that only others stand under now, nothing else is foreseen.
      return ahead && 'school_id' in ahead
        ? { school_id: Number(ahead.school_id), parent_id: ahead.parent_id }
        : known.get(id);
    };
  }

  return {
    async stored(records) {
      const rows = await locked(db)(courses().where('course.id', 'in', among(db, numbers(records))), [
        'course',
      ]).execute();
      return new Map(
        rows.map(({ id, put_away_at, course_type, ...fields }) => [
          String(id),
          // There are more types than kinds, and a source tells kinds apart.
          { fields: { ...fields, course_type: kindOf(course_type) }, isGone: put_away_at !== null },
        ]),
      );
    },
    async meant(wanted) {
      const titles = wanted.map(({ title }) => String(title ?? ''));
      const rows = await courses().where('course.title', 'in', amongTexts(db, titles)).execute();
      return wanted.map(({ title, school_id }) => {
        const same = rows.filter((row) => row.title === title && row.school_id === school_id);
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async judge(wanted) {
      const parents = wanted.flatMap(({ fields }) => (typeof fields.parent_id === 'number' ? [fields.parent_id] : []));
      const parentOf = await parentFacts([...new Set(parents)]);
      const own = wanted.flatMap(({ record: known }) => (known === undefined ? [] : [Number(known)]));
      const above = new Set(
        (
          await db
            .selectFrom('course')
            .select('parent_id')
            .distinct()
            .where('parent_id', 'in', among(db, own))
            .$narrowType<{ parent_id: number }>()
            .execute()
        ).map(({ parent_id }) => parent_id),
      );
      return wanted.map(({ record: known, fields: written, before }): Judged => {
        const { output, errors: wrong } = heldTo(CompleteNewCourse, written);
        if (!output) return { errors: wrong };
        const isSameKind = kindOf(output.course_type) === before?.course_type;
        const fields = isSameKind ? { ...output, course_type: kindOf(output.course_type) } : output;
        const errors: FieldErrors = {};
        const { school_id, parent_id } = fields;
        if (!schools.isKnown(school_id) || (before === undefined && !schools.isOpen(school_id)))
          errors.school_id = [courseMessages.noSchool];
        const isKind = courseKinds.some((kind) => kind === fields.course_type);
        if (!isKind && fields.course_type !== before?.course_type) errors.course_type = [courseMessages.noType];
        const fits = (field: 'classify_id' | 'grade_id' | 'subject_id', kind: keyof typeof offered) =>
          fields[field] === null ||
          fields[field] === before?.[field] ||
          foreseen(kind, String(fields[field])) !== undefined ||
          offered[kind].has(fields[field]);
        if (!fits('classify_id', 'category')) errors.classify_id = [courseMessages.noClassify];
        if (!fits('grade_id', 'grade')) errors.grade_id = [courseMessages.noGrade];
        if (!fits('subject_id', 'subject')) errors.subject_id = [courseMessages.noSubject];
        if (parent_id !== null && parent_id !== before?.parent_id) {
          const parent = parentOf(parent_id);
          if (!parent || parent.school_id !== school_id || parent.parent_id !== null || String(parent_id) === known)
            errors.parent_id = [courseMessages.parent];
          else if (known !== undefined && above.has(Number(known))) errors.parent_id = [courseMessages.parentOfOthers];
        }
        // Whose cover a new one brings.
        const { cover_of_id = null } = written;
        return orErrors(cover_of_id === null ? fields : { ...fields, cover_of_id }, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'course', record, count: fields.length })).map(String),
    async add(made) {
      const covers = await coversOf(made.map(({ fields }) => Number(fields.cover_of_id ?? 0)));
      const rows = made.map(({ record: id, fields }) => ({
        ...columnsOf(fields),
        id: Number(id),
        created_at: now,
        cover_img: covers.get(Number(fields.cover_of_id)) ?? '',
      }));
      const names = ['id', ...columnNames, 'created_at', 'cover_img'] as const;
      await db
        .insertInto('course')
        .columns(names)
        .expression((eb) =>
          eb
            .selectFrom(given(db, { id: 'integer', ...columnTypes, created_at: 'integer', cover_img: 'text' }, rows))
            .select(['id', 'title', 'course_type', 'school_id', 'classify_id', 'grade_id', 'subject_id', 'parent_id'])
            .select(['introduction', (one) => one.ref('given.course_extend').$castTo<0 | 1>().as('course_extend')])
            .select(['created_at', 'cover_img']),
        )
        .execute();
      await note(
        'add',
        made.map(({ record: id, fields: { cover_of_id: _, ...fields } }) => ({
          recordId: Number(id),
          before: null,
          after: fields,
        })),
      );
      return new Map();
    },
    async change(changed) {
      const types = new Map(
        (
          await courses()
            .where('course.id', 'in', among(db, numbers(changed.map(({ record: id }) => id))))
            .execute()
        ).map(({ id, course_type }) => [id, course_type]),
      );
      const rows = changed.map(({ record: id, before, after }) => {
        const columns = columnsOf(after);
        const known = before.course_type === after.course_type ? types.get(Number(id)) : undefined;
        return { ...columns, course_type: known ?? columns.course_type, id: Number(id) };
      });
      await db
        .updateTable('course')
        .from(given(db, { id: 'integer', ...columnTypes }, rows))
        .set((eb) => ({
          title: eb.ref('given.title'),
          course_type: eb.ref('given.course_type'),
          classify_id: eb.ref('given.classify_id'),
          grade_id: eb.ref('given.grade_id'),
          subject_id: eb.ref('given.subject_id'),
          parent_id: eb.ref('given.parent_id'),
          introduction: eb.ref('given.introduction'),
          course_extend: eb.ref('given.course_extend').$castTo<0 | 1>(),
        }))
        .whereRef('course.id', '=', 'given.id')
        .execute();
      await note('edit', editsNoted(changed));
    },
    async end(ended) {
      await putAway(
        ended.map(({ record: id }) => ({ id: Number(id), put_away_at: now })),
        'put-away',
      );
      return new Map();
    },
    async comeBack(returning) {
      const before = await courses()
        .where('course.id', 'in', among(db, numbers(returning.map(({ record: id }) => id))))
        .execute();
      await putAway(
        before.map(({ id }) => ({ id, put_away_at: null })),
        'restore',
      );
      return new Map(before.map(({ id, put_away_at }) => [String(id), { put_away_at }]));
    },
    async effects(ended) {
      const said = new Map<string, string>();
      for (const { record: id } of ended) {
        const effect = effectSaid(await affectedBy(db, Number(id), now));
        if (effect) said.set(id, effect);
      }
      return said;
    },
    async remove(made) {
      const kept = new Map<string, string>();
      for (const { record: id } of made) {
        const fault = deleteCourseFault(await recordsOf(db, Number(id)));
        if (fault) kept.set(id, fault);
      }
      const gone = made.filter(({ record: id }) => !kept.has(id));
      await db
        .deleteFrom('course')
        .where('id', 'in', among(db, numbers(gone.map(({ record: id }) => id))))
        .execute();
      await note('delete', removalsNoted(gone));
      return kept;
    },
    unend: (ended) =>
      putAway(
        ended.map(({ record: id }) => ({ id: Number(id), put_away_at: null })),
        'restore',
      ),
    unreturn: (returned) =>
      putAway(
        returned.map(({ record: id, trace }) => ({
          id: Number(id),
          put_away_at: (trace as { put_away_at: number | null }).put_away_at,
        })),
        'put-away',
      ),
  };

  async function putAway(rows: readonly { id: number; put_away_at: number | null }[], action: string): Promise<void> {
    const before = await courses()
      .where(
        'course.id',
        'in',
        among(
          db,
          rows.map(({ id }) => id),
        ),
      )
      .execute();
    await db
      .updateTable('course')
      .from(given(db, { id: 'integer', put_away_at: 'integer' }, rows))
      .set((eb) => ({ put_away_at: eb.ref('given.put_away_at') }))
      .whereRef('course.id', '=', 'given.id')
      .execute();
    const was = new Map(before.map(({ id, put_away_at }) => [id, put_away_at]));
    await note(
      action,
      rows.map(({ id, put_away_at }) => ({
        recordId: id,
        before: { put_away_at: was.get(id) ?? null },
        after: { put_away_at },
      })),
    );
  }
}

const columnTypes = {
  title: 'text',
  course_type: 'integer',
  school_id: 'integer',
  classify_id: 'integer',
  grade_id: 'integer',
  subject_id: 'integer',
  parent_id: 'integer',
  introduction: 'text',
  course_extend: 'integer',
} as const;
const columnNames = Object.keys(columnTypes) as (keyof typeof columnTypes)[];

const columnsOf = (fields: Fields) => ({
  title: String(fields.title),
  course_type: Number(fields.course_type),
  school_id: Number(fields.school_id),
  classify_id: Number(fields.classify_id) || null,
  grade_id: Number(fields.grade_id) || null,
  subject_id: Number(fields.subject_id) || null,
  parent_id: Number(fields.parent_id) || null,
  introduction: String(fields.introduction),
  course_extend: fields.course_extend === 1 ? 1 : 0,
});
