import { missingNotice } from '#server/notices/rules.ts';
import { SearchId } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { screen } from '../lib/screen.ts';

/** Adds a notice to the class or, with `id`, edits that notice. */
export const noticeForm = screen('PostNotice', '/classes/notice', 'post', { class_id: SearchId, id: SearchId });
const missing = { missing: missingNotice };
export const noticeView = dialog(classDetail, 'notice/:notice/view', 'view', {}, missing);
export const noticeDeletion = dialog(classDetail, 'notice/:notice/delete', 'delete', {}, missing);
