/** Adds, renames, reorders and deletes the chapters of a course. */

import { missingCourse } from '#server/classes/rules.ts';
import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { lastChangedBy, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import { type ChapterRow, CompleteChapter, type Direction } from './chapters.contract.ts';
import { type CourseContext, lockedCourse, maxId } from './course-changes.ts';
import { deleteChapterFault, missingChapter } from './rules.ts';
import { adminChapters, adminCourses } from './visible.ts';

/** Lists chapters in order with their period counts. 404: no such course. */
export async function chaptersOf(
  { db, actor }: RuleContext<'actor'>,
  courseId: number,
): Promise<ChapterRow[] | Refusal> {
  const course = await adminCourses(db, actor).select('course.id').where('course.id', '=', courseId).executeTakeFirst();
  if (!course) return missing(missingCourse);
  const rows = await chaptersInOrder(db, courseId)
    .select((eb) =>
      eb
        .selectFrom('period')
        .select((count) => count.fn.countAll<number>().as('n'))
        .whereRef('period.chapter_id', '=', 'course_chapter.id')
        .as('periods'),
    )
    .execute();
  return rows.map(({ id, title, periods }) => ({ id, title, periods: periods ?? 0, seen: versionTokenOf({ title }) }));
}

const chaptersInOrder = (db: Database, courseId: number) =>
  db
    .selectFrom('course_chapter')
    .select(['course_chapter.id', 'course_chapter.title', 'course_chapter.sort'])
    .where('course_chapter.course_id', '=', courseId)
    .orderBy('course_chapter.sort')
    .orderBy('course_chapter.id');

/** Adds a chapter. 404: no such course. 422: errors by field. */
export async function addChapterOf(
  context: CourseContext,
  courseId: number,
  written: { title: string },
): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const { output, errors } = validateComplete(CompleteChapter, written);
  if (!output) return invalid(errors);
  const last = (await chaptersInOrder(db, courseId).execute()).at(-1)?.sort ?? 0;
  const added = await insertChapter(db, { course_id: courseId, title: output.title, sort: last + 1 });
  await recordHistory(db, {
    actor,
    now,
    record: 'course_chapter',
    recordId: added.id,
    action: 'add',
    before: null,
    after: { course_id: courseId, title: output.title },
  });
  return added;
}

export async function insertChapter(
  db: Database,
  chapter: { course_id: number; title: string; sort: number },
): Promise<{ id: number }> {
  const unused = await newRecordId(db, 'course_chapter', () =>
    maxId(db.selectFrom('course_chapter').select((eb) => eb.fn.max('id').as('last'))),
  );
  return db
    .insertInto('course_chapter')
    .values({ ...unused, ...chapter })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Renames a chapter. 404: no such chapter. 422: errors by field. 409: renamed meanwhile. */
export async function renameChapterOf(
  context: CourseContext,
  id: number,
  written: { title: string; seen: string },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const chapter = await lockedChapter(context, id);
  if (!chapter) return missing(missingChapter);
  const { output, errors } = validateComplete(CompleteChapter, written);
  if (!output) return invalid(errors);
  const before = { title: chapter.title };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  if (conflicts.length > 0)
    return editConflict(both, {
      by: (await lastChangedBy(db, 'course_chapter', id, conflicts)) || '系统管理员',
      nameOf: { title: '章节名称' },
      shown: (_, value) => String(value),
    });
  if (merged.title === before.title) return null;
  await db.updateTable('course_chapter').set(merged).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'course_chapter',
    recordId: id,
    action: 'edit',
    before,
    after: merged,
  });
  return null;
}

/** Moves a chapter by one place. 404: no such chapter. */
export async function placeChapterOf(
  context: CourseContext,
  id: number,
  direction: Direction,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const chapter = await lockedChapter(context, id);
  if (!chapter) return missing(missingChapter);
  const chapters = await chaptersInOrder(db, chapter.course_id).execute();
  const ids = chapters.map((one) => one.id);
  const placed = swapWithNeighbour(ids, id, direction);
  if (!placed) return null;
  for (const [place, one] of placed.entries()) {
    if (chapters.find((before) => before.id === one)?.sort === place + 1) continue;
    await db
      .updateTable('course_chapter')
      .set({ sort: place + 1 })
      .where('id', '=', one)
      .execute();
  }
  const [before, after] = [{ place: ids.indexOf(id) + 1 }, { place: placed.indexOf(id) + 1 }];
  await recordHistory(db, { actor, now, record: 'course_chapter', recordId: id, action: 'place', before, after });
  return null;
}

/** Swaps `id` with its neighbour; undefined if it is first or last already. */
export function swapWithNeighbour(ids: readonly number[], id: number, direction: Direction): number[] | undefined {
  const from = ids.indexOf(id);
  const to = direction === 'up' ? from - 1 : from + 1;
  const other = ids[to];
  if (other === undefined) return undefined;
  const placed = [...ids];
  placed[to] = id;
  placed[from] = other;
  return placed;
}

/** Deletes an empty chapter. 404: no such chapter. 409: it has periods. */
export async function removeChapter(context: CourseContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const chapter = await lockedChapter(context, id);
  if (!chapter) return missing(missingChapter);
  const fault = deleteChapterFault({ periods: await countOf(db.selectFrom('period').where('chapter_id', '=', id)) });
  if (fault) return conflict(fault);
  await db.deleteFrom('course_chapter').where('id', '=', id).execute();
  const before = { course_id: chapter.course_id, title: chapter.title };
  await recordHistory(db, {
    actor,
    now,
    record: 'course_chapter',
    recordId: id,
    action: 'delete',
    before,
    after: null,
  });
  return null;
}

/** Loads a visible chapter and locks its course. */
async function lockedChapter(context: CourseContext, id: number) {
  const { db, actor } = context;
  const found = await adminChapters(db, actor)
    .select('course_chapter.course_id')
    .where('course_chapter.id', '=', id)
    .executeTakeFirst();
  if (!found || !(await lockedCourse(context, found.course_id))) return undefined;
  return forUpdate(db)(
    db.selectFrom('course_chapter').select(['id', 'course_id', 'title']).where('id', '=', id),
  ).executeTakeFirst();
}
