import { handle } from '#server/school/context.ts';
import {
  addToClass,
  changeClassWare,
  chooseForClass,
  classWareOf,
  classWarePage,
  dropClassWare,
  keepUpload,
} from './class.ts';
import {
  addClassWare,
  attachWares,
  chooseClassWares,
  detachWare,
  editClassWare,
  editWare,
  listClassWares,
  listLessonWares,
  listWareClassifies,
  listWares,
  previewWare,
  readWareFile,
  removeClassWare,
  removeWare,
  showClassWare,
  showWare,
  uploadClassWare,
  uploadWare,
  uploadWareFile,
} from './contract.ts';
import { previewInfo, sendFile } from './file.ts';
import { attach, detach, lessonWares } from './lesson.ts';
import { changeWare, classifies, dropWare, wareOf, warePage } from './library.ts';
import { keepWare, keepWareFile } from './upload.ts';

export const coursewareCalls = [
  handle(listWares, ({ db, actor, query }) => warePage(db, actor, query)),
  handle(listWareClassifies, ({ db }) => classifies(db)),
  handle(previewWare, ({ db, actor, query }) => previewInfo(db, actor, query.fid)),
  handle(readWareFile, ({ params, query, request, ...context }) =>
    sendFile(context, params.fid, { request, download: query.download === 1 }),
  ),
  handle(showWare, ({ db, actor, params }) => wareOf(db, actor, params.id)),
  handle(editWare, ({ db, actor, now, params, body }) => changeWare(db, { actor, now }, params.id, body)),
  handle(removeWare, ({ db, actor, now, params }) => dropWare(db, { actor, now }, params.id)),
  handle(uploadWareFile, ({ body, ...context }) => keepWareFile(context, body.ware_type)),
  handle(uploadWare, ({ body, ...context }) => keepWare(context, body)),
  handle(listLessonWares, ({ db, actor, query }) => lessonWares(db, actor, query.times_id)),
  handle(attachWares, ({ body, ...context }) => attach(context, body)),
  handle(detachWare, ({ params, ...context }) => detach(context, params.id)),
  handle(listClassWares, ({ db, actor, query }) => classWarePage(db, actor, query)),
  handle(showClassWare, ({ db, actor, params }) => classWareOf(db, actor, params.id)),
  handle(addClassWare, ({ body: { class_id, ...ware }, ...context }) => addToClass(context, class_id, ware)),
  handle(editClassWare, ({ params, body, ...context }) => changeClassWare(context, params.id, body)),
  handle(uploadClassWare, ({ body, ...context }) => keepUpload(context, body)),
  handle(removeClassWare, ({ params, ...context }) => dropClassWare(context, params.id)),
  handle(chooseClassWares, ({ body, ...context }) => chooseForClass(context, body.class_id, body.ware_ids)),
];
