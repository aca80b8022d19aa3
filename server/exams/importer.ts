/**
 * Imports exams as drafts without a paper, by the rules of `admin-changes.ts`. A published exam is only changed by hand,
 * because students rely on it.
 */
import { isRunning } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { insertRows } from '#server/platform/db/rows.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import { openSchoolsOf, schoolsOf } from '#server/school/admin-schools.ts';
import {
  type Fields,
  fieldsOrErrors,
  groupRows,
  groupValues,
  type ImportContext,
  idsFromText,
  idsOf,
  idsToText,
  importerSchools,
  type RecordDiff,
  validateImported,
  viewerOf,
  type WantedRecord,
} from '#server/school/importer.ts';
import { type SimpleSession, simpleImporter } from '#server/school/simple-importer.ts';
import { CompleteExam } from './admin.contract.ts';
import { audienceMessages, composingMessages, examPoints, importedExamMessages } from './rules.ts';
import { examClasses } from './visible.ts';

export const importedExams = simpleImporter({
  table: 'exam',
  needs: 'exams',
  refers: {},
  refersToMany: { school_ids: 'school', grade_ids: 'grade', class_ids: 'class' },
  // Grades become the classes that they have when the exam is added.
  atFirst: ['grade_ids'],
  scalars: ['name', 'introduce', 'category_name', 'pass_score', 'limit_minutes', 'attempts', 'start_at', 'end_at'],
  defaults: {
    name: '',
    introduce: '',
    category_name: '',
    pass_score: 0,
    limit_minutes: 0,
    attempts: 1,
    start_at: null,
    end_at: null,
    school_ids: '',
    grade_ids: '',
    class_ids: '',
  },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name, start_at }) => (name === '' ? '' : `${name} ${start_at ?? ''}`),
  leaves: false,
  columns: {
    name: 'text',
    introduce: 'text',
    category_id: 'integer',
    pass_score: 'integer',
    limit_time: 'integer',
    attempts: 'integer',
    start_at: 'integer',
    end_at: 'integer',
    school_id: 'integer',
    by_class: 'integer',
  },
  newColumns: { score: 'integer', status: 'integer', creator_id: 'integer', created_at: 'integer' },
  row,
  said: ({ grade_ids: _, ...fields }) => ({
    ...fields,
    pass_score: tenths(fields.pass_score),
    school_ids: idsFromText(fields.school_ids),
    class_ids: idsFromText(fields.class_ids),
  }),
  removal: 'remove',
  open,
});

const tenths = (points: unknown): number => Math.round(Number(points) * 10);

function row(fields: Fields) {
  return {
    name: String(fields.name),
    introduce: String(fields.introduce),
    pass_score: tenths(fields.pass_score),
    limit_time: Number(fields.limit_minutes) * 60,
    attempts: Number(fields.attempts),
    start_at: fields.start_at ?? null,
    end_at: fields.end_at ?? null,
    school_id: idsFromText(fields.school_ids)[0] ?? 0,
    by_class: idsFromText(fields.class_ids).length > 0 ? 1 : 0,
  };
}

async function open(context: ImportContext): Promise<SimpleSession> {
  const { db, now, importer } = context;
  const schools = await importerSchools(context);
  const openSchools = (await openSchoolsOf(db, viewerOf(importer)).execute()).map(({ id }) => id);
  const categories = await db
    .selectFrom('exam_category')
    .select(['id', 'name'])
    .where('put_away_at', 'is', null)
    .execute();
  const categoryOf = (name: unknown) =>
    name === '' ? [] : categories.filter((one) => isSameName(one.name, String(name))).map(({ id }) => id);
  const adminExams = () =>
    db
      .selectFrom('exam')
      .leftJoin('exam_category', 'exam_category.id', 'exam.category_id')
      .select(['exam.id', 'exam.name', 'exam.introduce', 'exam_category.name as category_name', 'exam.pass_score'])
      .select(['exam.limit_time', 'exam.attempts', 'exam.start_at', 'exam.end_at', 'exam.school_id'])
      .select(['exam.status', 'exam.creator_id'])
      .where('exam.school_id', 'in', schoolsOf(db, viewerOf(importer)));

  /** Finds the open classes that exams name, alone or by their grade, including classes of the same import. */
  async function audienceOf(wanted: readonly WantedRecord[]) {
    const idsIn = (field: string) => inIds(db, [0, ...wanted.flatMap(({ fields }) => idsFromText(fields[field]))]);
    const stored = await adminClasses(db, viewerOf(importer))
      .select(['class.id', 'class.school_id', 'class.grade_id', 'class.valid_type', 'class.valid_time'])
      .where('class.class_type', '=', 0)
      .where((eb) => eb.or([eb('class.id', 'in', idsIn('class_ids')), eb('class.grade_id', 'in', idsIn('grade_ids'))]))
      .execute();
    const classes = new Map(
      stored.flatMap((one) =>
        isRunning(one, now) && !context.isEnding('class', String(one.id))
          ? [[one.id, { school: one.school_id, grade: one.grade_id }] as const]
          : [],
      ),
    );
    for (const [record, { school_id, grade_id, is_running }] of context.planned('class')) {
      if (is_running === 1) classes.set(Number(record), { school: Number(school_id), grade: Number(grade_id) });
      else classes.delete(Number(record));
    }
    return classes;
  }

  return {
    async rows(ids) {
      const rows = await forUpdate(db)(adminExams().where('exam.id', 'in', inIds(db, ids)), ['exam']).execute();
      const shared = await db.selectFrom('exam_school').selectAll().where('exam_id', 'in', inIds(db, ids)).execute();
      const given = await examClasses(db)
        .select(['exam_class.exam_id', 'exam_class.class_id'])
        .where('exam_class.exam_id', 'in', inIds(db, ids))
        .execute();
      const schoolsByExam = groupValues(
        shared,
        ({ exam_id }) => exam_id,
        ({ school_id }) => school_id,
      );
      const classesByExam = groupValues(
        given,
        ({ exam_id }) => exam_id,
        ({ class_id }) => class_id,
      );
      return rows.map(
        ({ id, category_name, pass_score, limit_time, school_id, status: _, creator_id: __, ...exam }) => ({
          id,
          ...exam,
          category_name: category_name ?? '',
          pass_score: examPoints(pass_score),
          limit_minutes: Math.floor(limit_time / 60),
          school_ids: idsToText([school_id, ...(schoolsByExam.get(id) ?? [])]),
          class_ids: idsToText(classesByExam.get(id) ?? []),
        }),
      );
    },
    async findMatch(wanted) {
      const rows = await adminExams()
        .where(
          'exam.name',
          'in',
          inTexts(
            db,
            wanted.map(({ name }) => String(name ?? '')),
          ),
        )
        .where((eb) => eb.or([eb('exam.status', '=', 1), eb('exam.creator_id', '=', importer.id ?? 0)]))
        .execute();
      const byName = groupRows(rows, ({ name }) => name);
      return wanted.map(({ name, start_at = null }) => {
        const same = (byName.get(String(name)) ?? []).filter((one) => one.start_at === start_at);
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      const classes = await audienceOf(wanted);
      const known = wanted.flatMap(({ record }) => (record === undefined ? [] : [Number(record)]));
      const states = await adminExams().where('exam.id', 'in', inIds(db, known)).execute();
      const stateOf = new Map(states.map((one) => [String(one.id), one]));
      return wanted.map(({ record, fields: written, before }): RecordDiff => {
        const errors: FieldErrors = {};
        const grades = before === undefined ? idsFromText(written.grade_ids) : [];
        const named = idsFromText(written.class_ids);
        const chosen = idsFromText(written.school_ids);
        const ofNamed = named.flatMap((id) => classes.get(id)?.school ?? []);
        const only = openSchools.length === 1 ? openSchools : [];
        const schoolIds = [...new Set([chosen, ofNamed, only].find((ids) => ids.length > 0) ?? [])];
        const ofGrades = [...classes].flatMap(([id, { school, grade }]) =>
          grade !== null && grades.includes(grade) && schoolIds.includes(school) ? [id] : [],
        );
        const classIds = [...new Set([...named, ...ofGrades])];
        const { output, errors: wrong } = validateImported(CompleteExam, {
          ...written,
          pass_score: String(written.pass_score),
          limit_minutes: String(written.limit_minutes),
          attempts: String(written.attempts),
          school_ids: schoolIds,
          class_ids: classIds,
        });
        if (!output) return { errors: wrong };
        const state = record === undefined ? undefined : stateOf.get(record);
        if (state?.status === 1) errors.name = [importedExamMessages.published];
        else if (state && state.creator_id !== importer.id) errors.name = [importedExamMessages.otherAuthor];
        else if (importer.id === null) errors.name = [importedExamMessages.noAuthor];
        const had = idsFromText(before?.school_ids);
        if (!schoolIds.every((id) => schools.isOpen(id) || (schools.isKnown(id) && had.includes(id))))
          errors.school_ids = [composingMessages.noSchool];
        const hadClasses = idsFromText(before?.class_ids);
        const isOffered = (id: number) => schoolIds.includes(classes.get(id)?.school ?? 0) || hadClasses.includes(id);
        if (!named.every(isOffered)) errors.class_ids = [audienceMessages.otherSchool];
        if (grades.length > 0 && ofGrades.length === 0) errors.grade_ids = [audienceMessages.gradeWithoutClass];
        const category = categoryOf(written.category_name);
        const isSameCategory = before !== undefined && written.category_name === before.category_name;
        if (written.category_name !== '' && category.length !== 1 && !isSameCategory)
          errors.category_name = [importedExamMessages.category(String(written.category_name), category.length)];
        const { name, introduce, limit_minutes, attempts, start_at, end_at } = output;
        const fields = {
          name,
          introduce,
          limit_minutes,
          attempts,
          start_at,
          end_at,
          category_name: String(written.category_name),
          pass_score: examPoints(output.pass_score),
          school_ids: idsToText(schoolIds),
          grade_ids: '',
          class_ids: idsToText(classIds),
        };
        return fieldsOrErrors(fields, errors);
      });
    },
    newRows: async (made) =>
      made.map(({ fields }) => ({
        category_id: categoryOf(fields.category_name)[0] ?? null,
        score: 0,
        status: 2,
        creator_id: importer.id,
        created_at: now,
      })),
    changedRows: async (changed) => {
      const stored = await db
        .selectFrom('exam')
        .select(['id', 'category_id'])
        .where('id', 'in', inIds(db, idsOf(changed)))
        .execute();
      return changed.map(({ record, before, after }) => {
        const kept = stored.find(({ id }) => String(id) === record)?.category_id ?? null;
        const isSame = before.category_name === after.category_name;
        return { ...row(after), category_id: isSame ? kept : (categoryOf(after.category_name)[0] ?? null) };
      });
    },
    async writeLinks(written) {
      await deleteLinks(db, idsOf(written));
      const pairs = written.flatMap(({ record, fields: { school_ids, class_ids } }) => {
        const [_, ...further] = idsFromText(school_ids);
        return { exam_id: Number(record), further, given: idsFromText(class_ids) };
      });
      await insertRows(
        db,
        'exam_school',
        { exam_id: 'integer', school_id: 'integer' },
        pairs.flatMap(({ exam_id, further }) => further.map((school_id) => ({ exam_id, school_id }))),
      );
      await insertRows(
        db,
        'exam_class',
        { exam_id: 'integer', class_id: 'integer' },
        pairs.flatMap(({ exam_id, given }) => given.map((class_id) => ({ exam_id, class_id }))),
      );
    },
    deleteLinks: (ids) => deleteLinks(db, ids),
    endFaults: async (ended) => new Map(ended.map(({ record }) => [record, importedExamMessages.noEnd])),
    async changeFaults(records) {
      const rows = await adminExams()
        .where('exam.id', 'in', inIds(db, records.map(Number)))
        .where('exam.status', '=', 1)
        .execute();
      return new Map(rows.map(({ id }) => [String(id), importedExamMessages.published]));
    },
    async inUse(made) {
      const ids = inIds(db, idsOf(made));
      const rows = await db
        .selectFrom('exam')
        .select(['id', 'status'])
        .select((eb) =>
          eb
            .selectFrom('exam_section')
            .select((of) => of.fn.countAll<number>().as('n'))
            .whereRef('exam_section.exam_id', '=', 'exam.id')
            .as('sections'),
        )
        .where('id', 'in', ids)
        .execute();
      return new Map(
        rows.flatMap(({ id, status, sections }): [string, string][] => {
          if (status === 1) return [[String(id), importedExamMessages.published]];
          return Number(sections) > 0 ? [[String(id), importedExamMessages.hasPaper]] : [];
        }),
      );
    },
  };
}

/** Deletes the further schools and the classes of drafts. */
async function deleteLinks(db: Database, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('exam_school').where('exam_id', 'in', inIds(db, ids)).execute();
  await db.deleteFrom('exam_class').where('exam_id', 'in', inIds(db, ids)).execute();
}
