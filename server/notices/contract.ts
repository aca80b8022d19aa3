import * as v from 'valibot';
import { FlagNumber, OneLine, page, paging, SearchId, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { isEmptyText, lengthOf } from '#server/platform/text/rules.ts';
import { call } from '#server/school/call.ts';
import { noticeContentLimit, noticeMessages, noticeTitleLimit } from './rules.ts';

export const Notice = v.object({
  id: v.number(),
  title: v.string(),
  /** Content as stored: sanitized HTML. */
  content: v.string(),
  class_id: v.number(),
  /** Name of the author. */
  nickname: v.string(),
  created_at: Seconds,
  updated_at: Seconds,
  /** 1: the caller may edit and delete the notice. */
  is_can_delete: FlagNumber,
});
export type Notice = v.InferOutput<typeof Notice>;

/** A row of the list. `summary`: the beginning of the content on one line, as HTML with formulas as MathML. */
export const NoticeRow = v.object({ ...Notice.entries, summary: v.string() });
export type NoticeRow = v.InferOutput<typeof NoticeRow>;

export const NoticeFilter = v.object({ class_id: SearchId, ...paging() });

/** Lists notices, newest first; without `class_id` the notices of all visible classes. */
export const listNotices = call({
  method: 'GET',
  path: 'announcement',
  title: '公告列表',
  query: NoticeFilter,
  answer: page(NoticeRow),
});

/** Returns one notice. `shown`: the content with formulas as MathML. */
export const showNotice = call({
  method: 'GET',
  path: 'announcement/:id',
  title: '公告',
  answer: v.object({ ...Notice.entries, shown: v.string() }),
});

export const WrittenNotice = v.object({ title: TypedText, content: TypedText });
export type WrittenNotice = v.InferOutput<typeof WrittenNotice>;

/** Required fields of a notice; the form and the API check them. */
export const CompleteNotice = v.object({
  title: v.pipe(
    OneLine,
    v.nonEmpty(noticeMessages.title),
    v.check((title) => lengthOf(title) <= noticeTitleLimit, noticeMessages.titleLength),
  ),
  content: v.pipe(
    v.string(),
    v.check((html) => !isEmptyText(html), noticeMessages.content),
    v.maxLength(noticeContentLimit, noticeMessages.contentLength),
  ),
});

export const postNotice = call({
  method: 'POST',
  path: 'announcement',
  title: '发布公告',
  body: v.object({ ...WrittenNotice.entries, class_id: SearchId }),
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editNotice = call({
  method: 'PUT',
  path: 'announcement/:id',
  title: '编辑公告',
  body: WrittenNotice,
  answer: v.null(),
  message: '编辑成功',
});

export const deleteNotice = call({
  method: 'DELETE',
  path: 'announcement/:id',
  title: '删除公告',
  answer: v.null(),
  message: '删除成功',
});
