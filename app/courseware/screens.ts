/** Where the courseware screens stand. */
import * as v from 'valibot';
import { LessonQuery, WareFilter } from '#server/courseware/contract.ts';
import { missingWareFile } from '#server/courseware/rules.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { dialog, listScreen, MaybeId, OwnAddress, ScreenId, screen, Ticked } from '../lib/screen.ts';

/** The idempotency key of a form with a file: it stands in the address, for the form is handed on unread. */
export const UploadKey = v.fallback(v.optional(v.string()), undefined);

export const wareLibrary = screen('Courseware', '/courseware');
export const wareList = listScreen(wareLibrary, WareFilter);
export const wareEdit = dialog(':id/edit');

/** Over the library and over a lesson's courseware. */
export const wareUpload = dialog('upload', { key: UploadKey });
export const wareRemove = dialog(':id/remove');

const lessonType = LessonQuery.entries.times_type;

/** `return`: where its dialogs go back to, for the other screens of a lesson. */
export const lessonCourseware = screen(
  'LessonCourseware',
  '/courseware/lesson',
  { times_id: ScreenId, times_type: lessonType, return: OwnAddress },
  missingSession,
);

/** With `times_id` for that lesson; without it the way goes on to `return`, which is told what was chosen. */
export const wareChoice = listScreen(
  screen('CoursewareChoose', '/courseware/choose', { times_id: MaybeId, times_type: lessonType, return: OwnAddress }),
  WareFilter,
);

/** What the upload form is sent to where client JS runs; it says what the upload is for. */
export const wareSend = screen('courseware/send', '/courseware/send', {
  times_id: MaybeId,
  times_type: lessonType,
  class_id: MaybeId,
  ware: MaybeId,
  key: UploadKey,
  return: OwnAddress,
});

export const warePreview = screen('CoursewarePreview', '/courseware/preview', { fid: ScreenId }, missingWareFile);
export const wareFile = screen('courseware/file', '/courseware/file/:fid', { download: Ticked });
