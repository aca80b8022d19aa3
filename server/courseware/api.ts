import { handle } from '#server/school/context.ts';
import {
  addLibraryMaterialsToClass,
  addToClass,
  changeClassMaterial,
  classMaterialOf,
  classMaterialPage,
  dropClassMaterial,
  storeUploadRows,
} from './class.ts';
import {
  addClassMaterial,
  attachMaterials,
  chooseClassMaterials,
  detachMaterial,
  editClassMaterial,
  editMaterial,
  listClassMaterials,
  listLessonMaterials,
  listMaterialClassifies,
  listMaterials,
  previewMaterial,
  readMaterialFile,
  removeClassMaterial,
  removeMaterial,
  showClassMaterial,
  showMaterial,
  uploadClassMaterial,
  uploadMaterial,
  uploadMaterialFile,
} from './contract.ts';
import { previewInfo, sendFile } from './file.ts';
import { attachToLesson, detachFromLesson, lessonMaterials } from './lesson.ts';
import { changeMaterial, deleteMaterialOf, listCoursewareCategories, materialOf, materialPage } from './library.ts';
import { storeMaterial, storeMaterialFile } from './upload.ts';

export const coursewareCalls = [
  handle(listMaterials, ({ db, actor, query }) => materialPage(db, actor, query)),
  handle(listMaterialClassifies, ({ db }) => listCoursewareCategories(db)),
  handle(previewMaterial, ({ db, actor, query }) => previewInfo(db, actor, query.fid)),
  handle(readMaterialFile, ({ params, query, request, ...context }) =>
    sendFile(context, params.fid, { request, download: query.download === 1 }),
  ),
  handle(showMaterial, ({ db, actor, params }) => materialOf(db, actor, params.id)),
  handle(editMaterial, ({ db, actor, now, params, body }) => changeMaterial(db, { actor, now }, params.id, body)),
  handle(removeMaterial, ({ db, actor, now, params }) => deleteMaterialOf(db, { actor, now }, params.id)),
  handle(uploadMaterialFile, ({ body, ...context }) => storeMaterialFile(context, body.ware_type)),
  handle(uploadMaterial, ({ body, ...context }) => storeMaterial(context, body)),
  handle(listLessonMaterials, ({ db, actor, query }) => lessonMaterials(db, actor, query.times_id)),
  handle(attachMaterials, ({ body, ...context }) => attachToLesson(context, body)),
  handle(detachMaterial, ({ params, ...context }) => detachFromLesson(context, params.id)),
  handle(listClassMaterials, ({ db, actor, query }) => classMaterialPage(db, actor, query)),
  handle(showClassMaterial, ({ db, actor, params }) => classMaterialOf(db, actor, params.id)),
  handle(addClassMaterial, ({ body: { class_id, ...material }, ...context }) =>
    addToClass(context, class_id, material),
  ),
  handle(editClassMaterial, ({ params, body, ...context }) => changeClassMaterial(context, params.id, body)),
  handle(uploadClassMaterial, ({ body, ...context }) => storeUploadRows(context, body)),
  handle(removeClassMaterial, ({ params, ...context }) => dropClassMaterial(context, params.id)),
  handle(chooseClassMaterials, ({ body, ...context }) =>
    addLibraryMaterialsToClass(context, body.class_id, body.ware_ids),
  ),
];
