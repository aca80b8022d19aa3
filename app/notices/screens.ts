/** Where the announcements of a class stand. */
import { SearchId } from '#server/platform/calls/fields.ts';
import { dialog, screen } from '../lib/screen.ts';

/** A new one of the class, or `id` to be edited. */
export const noticeForm = screen('PostNotice', '/classes/notice', { class_id: SearchId, id: SearchId });
export const noticeView = dialog('notice/:notice/view');
export const noticeDeletion = dialog('notice/:notice/delete');
