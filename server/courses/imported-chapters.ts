/** Chapters of imported periods: found by title, or created. Undoing the import deletes created ones. */

import { newRecordIds } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { deleteRows, insertRows } from '#server/platform/db/rows.ts';
import { type AddedRecord, distinctIds, type Fields, historyOf, type ImportContext } from '#server/school/importer.ts';

/** Id of the chapter that was created for a period; undo deletes it. */
export interface ChapterTrace {
  chapter: number;
}

const isChapterTrace = (trace: unknown): trace is ChapterTrace =>
  typeof trace === 'object' && trace !== null && 'chapter' in trace;

export function importedChapters(context: ImportContext) {
  const { db } = context;
  const note = historyOf(context, 'course_chapter');
  return {
    /** Finds the chapters by title; creates missing ones at the end of their course. */
    async findOrCreate(periods: readonly AddedRecord[]) {
      const key = (fields: Fields) => `${fields.course_id} ${fields.chapter_title}`;
      const named = periods.filter(({ fields }) => fields.chapter_title !== '');
      const courseIds = distinctIds(named, 'course_id');
      const existing = await db
        .selectFrom('course_chapter')
        .select(['id', 'course_id', 'title', 'sort'])
        .where('course_id', 'in', inIds(db, courseIds))
        .orderBy('sort', 'desc')
        .orderBy('id', 'desc')
        .execute();
      // If several chapters of a course have the same title, the first one is used.
      const known = new Map(existing.map(({ id, course_id, title }) => [`${course_id} ${title}`, id]));
      const last = new Map<number, number>();
      for (const { course_id, sort } of existing) last.set(course_id, Math.max(last.get(course_id) ?? 0, sort));
      const missing = new Map<string, AddedRecord>();
      for (const one of named.toSorted((a, b) => Number(a.fields.start_play) - Number(b.fields.start_play)))
        if (!known.has(key(one.fields)) && !missing.has(key(one.fields))) missing.set(key(one.fields), one);
      const ids = await newRecordIds(db, { table: 'course_chapter', record: 'course_chapter', count: missing.size });
      const traces = new Map<string, ChapterTrace>();
      const rows = [...missing.values()].map(({ record: first, fields }, at) => {
        const id = ids[at] as number;
        const course_id = Number(fields.course_id);
        const sort = (last.get(course_id) ?? 0) + 1;
        last.set(course_id, sort);
        known.set(key(fields), id);
        traces.set(first, { chapter: id });
        return { id, course_id, title: String(fields.chapter_title), sort };
      });
      const types = { id: 'integer', course_id: 'integer', title: 'text', sort: 'integer' } as const;
      await insertRows(db, 'course_chapter', types, rows);
      await note('add', rows, ({ id, course_id, title }) => ({
        recordId: id,
        before: null,
        after: { course_id, title },
      }));
      return { traces, idOf: (fields: Fields) => known.get(key(fields)) ?? null };
    },

    /** Undo: deletes the chapters that the import created, unless other periods have been put into them. */
    async removeEmpty(traces: readonly unknown[]): Promise<void> {
      const created = traces.flatMap((trace) => (isChapterTrace(trace) ? [trace.chapter] : []));
      if (created.length === 0) return;
      const empty = await db
        .selectFrom('course_chapter')
        .select(['id', 'course_id', 'title'])
        .where('id', 'in', inIds(db, created))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('period').select('period.id').whereRef('period.chapter_id', '=', 'course_chapter.id'),
            ),
          ),
        )
        .execute();
      await deleteRows(db, 'course_chapter', { id: 'integer' }, empty);
      await note('delete', empty, ({ id, course_id, title }) => ({
        recordId: id,
        before: { course_id, title },
        after: null,
      }));
    },
  };
}
