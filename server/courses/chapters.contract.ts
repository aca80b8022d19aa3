/** Administrators' calls for the chapters of a course. */

import * as v from 'valibot';
import { OneLine, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { chapterTitleLimit, courseMessages } from './rules.ts';

export const ChapterRow = v.object({
  id: v.number(),
  title: v.string(),
  periods: v.number(),
  seen: v.string(),
});
export type ChapterRow = v.InferOutput<typeof ChapterRow>;

export const listChapters = adminCall({
  method: 'GET',
  path: 'courses/:id/chapters',
  title: '章节列表',
  needs: 'teaching',
  answer: v.array(ChapterRow),
});

const ChapterTitle = v.pipe(
  OneLine,
  v.nonEmpty(courseMessages.noChapterTitle),
  v.check((title) => lengthOf(title) <= chapterTitleLimit, courseMessages.chapterTitleLength),
);

export const CompleteChapter = v.object({ title: ChapterTitle });

/** Adds a chapter at the end of the course. */
export const addChapter = adminCall({
  method: 'POST',
  path: 'courses/:id/chapters',
  title: '添加章节',
  needs: 'teaching',
  body: v.object({ title: TypedText }),
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const renameChapter = adminCall({
  method: 'PUT',
  path: 'chapters/:id',
  title: '修改章节',
  needs: 'teaching',
  body: v.object({ title: TypedText, seen: TypedText }),
  answer: v.null(),
  message: '保存成功',
});

export const directions = ['up', 'down'] as const;

export type Direction = (typeof directions)[number];

export const Placement = v.object({ direction: v.picklist(directions) });

/** Moves a chapter up or down by one place; at the end of the list nothing happens. */
export const placeChapter = adminCall({
  method: 'POST',
  path: 'chapters/:id/place',
  title: '调整章节顺序',
  needs: 'teaching',
  body: Placement,
  answer: v.null(),
  message: '顺序已调整',
});

/** Deletes an empty chapter. */
export const deleteChapter = adminCall({
  method: 'DELETE',
  path: 'chapters/:id',
  title: '删除章节',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});
