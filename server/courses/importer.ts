/** Imports courses, by the rules of `course-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import {
  catalogueEntryCheck,
  type Fields,
  fieldsOrErrors,
  type ImportContext,
  idsOf,
  importerSchools,
  messagesPerRecord,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { endByArchiving, type SimpleSession, simpleImporter } from '#server/school/simple-importer.ts';
import { CompleteNewCourse } from './contract.ts';
import { countAffected, countRecords } from './record.ts';
import {
  courseKindOf,
  courseKinds,
  courseMessages,
  deleteCourseFault,
  effectSentence,
  importedCourseMessages,
} from './rules.ts';
import { adminCourses } from './visible.ts';

const row = (fields: Fields) => ({
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

export const importedCourses = simpleImporter({
  table: 'course',
  needs: 'teaching',
  refers: {
    school_id: 'school',
    classify_id: 'category',
    grade_id: 'grade',
    subject_id: 'subject',
    parent_id: 'course',
    cover_of_id: 'course',
    // Not stored: a new course for one class is refused with the class.
    own_class_id: 'class',
  },
  atFirst: ['cover_of_id', 'own_class_id'],
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
  columns: {
    title: 'text',
    course_type: 'integer',
    school_id: 'integer',
    classify_id: 'integer',
    grade_id: 'integer',
    subject_id: 'integer',
    parent_id: 'integer',
    introduction: 'text',
    course_extend: 'integer',
  },
  newColumns: { created_at: 'integer', cover_img: 'text' },
  row,
  said: ({ cover_of_id: _, ...fields }) => fields,
  ending: { ...endByArchiving, flag: null },
  removal: 'delete',
  open,
});

async function open(context: ImportContext): Promise<SimpleSession> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const isOffered = await catalogueEntryCheck(context);
  const courses = () =>
    adminCourses(db, viewer).select([
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

  /** Returns the cover pictures by course id. */
  async function coversOf(of: readonly number[]): Promise<Map<number, string>> {
    const ids = [...new Set(of.filter((id) => id > 0))];
    if (ids.length === 0) return new Map();
    const rows = await adminCourses(db, viewer)
      .select(['course.id', 'course.cover_img'])
      .where('course.id', 'in', inIds(db, ids))
      .execute();
    return new Map(rows.map(({ id, cover_img }) => [id, cover_img]));
  }

  async function parentFacts(parents: readonly number[]) {
    const rows = await courses().where('course.id', 'in', inIds(db, parents)).execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    return (id: number) => {
      const ahead = foreseen('course', String(id));
      // The parent course may come from this import; otherwise it is read from the database.
      return ahead && 'school_id' in ahead
        ? { school_id: Number(ahead.school_id), parent_id: ahead.parent_id }
        : known.get(id);
    };
  }

  return {
    async rows(ids) {
      const rows = await forUpdate(db)(courses().where('course.id', 'in', inIds(db, ids)), ['course']).execute();
      // Stored course types are finer than the kinds that a source can name.
      return rows.map(({ course_type, ...one }) => ({ ...one, course_type: courseKindOf(course_type) }));
    },
    async findMatch(wanted) {
      const titles = wanted.map(({ title }) => String(title ?? ''));
      const rows = await courses().where('course.title', 'in', inTexts(db, titles)).execute();
      return wanted.map(({ title, school_id }) => {
        const same = rows.filter((row) => row.title === title && row.school_id === school_id);
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      const parents = wanted.flatMap(({ fields }) => (typeof fields.parent_id === 'number' ? [fields.parent_id] : []));
      const parentOf = await parentFacts([...new Set(parents)]);
      const own = wanted.flatMap(({ record: known }) => (known === undefined ? [] : [Number(known)]));
      const above = new Set(
        (
          await db
            .selectFrom('course')
            .select('parent_id')
            .distinct()
            .where('parent_id', 'in', inIds(db, own))
            .$narrowType<{ parent_id: number }>()
            .execute()
        ).map(({ parent_id }) => parent_id),
      );
      return wanted.map(({ record: known, fields: written, before }): RecordDiff => {
        const { output, errors: wrong } = validateImported(CompleteNewCourse, written);
        if (!output) return { errors: wrong };
        const isSameKind = courseKindOf(output.course_type) === before?.course_type;
        const fields = isSameKind ? { ...output, course_type: courseKindOf(output.course_type) } : output;
        const errors: FieldErrors = {};
        const { school_id, parent_id } = fields;
        if (!schools.isKnown(school_id) || (before === undefined && !schools.isOpen(school_id)))
          errors.school_id = [courseMessages.noSchool];
        const isKind = courseKinds.some((kind) => kind === fields.course_type);
        if (!isKind && fields.course_type !== before?.course_type) errors.course_type = [courseMessages.noType];
        const fits = (field: 'classify_id' | 'grade_id' | 'subject_id', kind: Parameters<typeof isOffered>[0]) =>
          fields[field] === null || fields[field] === before?.[field] || isOffered(kind, fields[field]);
        if (!fits('classify_id', 'category')) errors.classify_id = [courseMessages.noClassify];
        if (!fits('grade_id', 'grade')) errors.grade_id = [courseMessages.noGrade];
        if (!fits('subject_id', 'subject')) errors.subject_id = [courseMessages.noSubject];
        if (parent_id !== null && parent_id !== before?.parent_id) {
          const parent = parentOf(parent_id);
          if (!parent || parent.school_id !== school_id || parent.parent_id !== null || String(parent_id) === known)
            errors.parent_id = [courseMessages.parent];
          else if (known !== undefined && above.has(Number(known))) errors.parent_id = [courseMessages.parentOfOthers];
        }
        // `cover_of_id` is kept through validation: the course whose cover a new course copies.
        const { cover_of_id = null } = written;
        return fieldsOrErrors(cover_of_id === null ? fields : { ...fields, cover_of_id }, errors);
      });
    },
    async newRows(made) {
      const covers = await coversOf(made.map(({ fields }) => Number(fields.cover_of_id ?? 0)));
      return made.map(({ fields }) => ({
        created_at: now,
        cover_img: covers.get(Number(fields.cover_of_id)) ?? '',
      }));
    },
    async changedRows(changed) {
      const stored = await courses()
        .where('course.id', 'in', inIds(db, idsOf(changed)))
        .execute();
      const types = new Map(stored.map(({ id, course_type }) => [id, course_type]));
      return changed.map(({ record, before, after }) => {
        const columns = row(after);
        const known = before.course_type === after.course_type ? types.get(Number(record)) : undefined;
        return { ...columns, course_type: known ?? columns.course_type };
      });
    },
    effects: (ended) => messagesPerRecord(ended, async (id) => effectSentence(await countAffected(db, id, now))),
    inUse: (made) => messagesPerRecord(made, async (id) => deleteCourseFault(await countRecords(db, id))),
  };
}
