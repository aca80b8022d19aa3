import * as v from 'valibot';
import { LessonQuery, MaterialFilter } from '#server/courseware/contract.ts';
import { missingMaterial, missingMaterialFile } from '#server/courseware/rules.ts';
import { SearchIds } from '#server/platform/calls/fields.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { withParams } from '../lib/address.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { CheckedParam, OptionalId, ReturnAddress, ScreenId } from '../lib/search.ts';

/**
 * Idempotency key of an upload. It is in the address, because the form is forwarded to the API without being parsed.
 */
export const UploadKey = v.fallback(v.optional(v.string()), undefined);

const missing = { missing: missingMaterial };

export const materialLibrary = screen('Courseware', '/courseware', 'library');
export const materialList = listScreen(materialLibrary, MaterialFilter);
export const materialEdit = dialog(materialLibrary, ':id/edit', 'edit', {}, missing);

export const materialRemove = dialog(materialLibrary, ':id/remove', 'remove', {}, missing);

const lessonType = LessonQuery.entries.times_type;

/** `return` is the address to which the dialogs return, for other screens of a lesson. */
export const lessonCourseware = screen(
  'LessonCourseware',
  '/courseware/lesson',
  'lesson',
  { times_id: ScreenId, times_type: lessonType, return: ReturnAddress },
  { missing: missingSession },
);
export const materialDetach = dialog(lessonCourseware, ':id/remove', 'detach', {}, missing);

export const materialUpload = dialog(
  screenGroup(materialLibrary, lessonCourseware),
  'upload',
  'upload',
  { key: UploadKey },
  { files: true },
);

/**
 * With `times_id`, adds the picked courseware to that lesson. Without it, continues to `return` with the picked ids.
 */
export const materialChoiceScreen = screen('CoursewareChoose', '/courseware/choose', 'choose', {
  times_id: OptionalId,
  times_type: lessonType,
  return: ReturnAddress,
  ...pickerParams,
});
export const materialChoice = listScreen(materialChoiceScreen, MaterialFilter);

/** Adds the picked ids to the address of the screen that asked for them. */
export const withChosenMaterials = (back: string, chosen: readonly number[]) =>
  withParams(back, { ware_ids: SearchIds }, { ware_ids: chosen });

/** Address to which client JS sends an upload. Its parameters name the purpose. */
export const materialUploadTarget = screen(
  'courseware/send',
  '/courseware/send',
  'send.ts',
  {
    times_id: OptionalId,
    times_type: lessonType,
    class_id: OptionalId,
    ware: OptionalId,
    key: UploadKey,
    return: ReturnAddress,
  },
  { files: true },
);

export const materialPreview = screen(
  'CoursewarePreview',
  '/courseware/preview',
  'preview',
  { fid: ScreenId },
  { missing: missingMaterialFile },
);
export const materialFile = screen(
  'courseware/file',
  '/courseware/file/:fid',
  'file.ts',
  { download: CheckedParam },
  { missing: missingMaterialFile },
);
