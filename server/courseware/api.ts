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
  handle(readWareFile, ({ params, query, request, ...asked }) =>
    sendFile(asked, params.fid, { request, download: query.download === 1 }),
  ),
  handle(showWare, ({ db, actor, params }) => wareOf(db, actor, params.id)),
  handle(editWare, ({ db, actor, now, params, body }) => changeWare(db, { actor, now }, params.id, body)),
  handle(removeWare, ({ db, actor, params }) => dropWare(db, actor, params.id)),
  handle(uploadWareFile, ({ body, ...asked }) => keepWareFile(asked, body.ware_type)),
  handle(uploadWare, ({ body, ...asked }) => keepWare(asked, body)),
  handle(listLessonWares, ({ db, actor, query }) => lessonWares(db, actor, query.times_id)),
  handle(attachWares, ({ body, ...asked }) => attach(asked, body)),
  handle(detachWare, ({ db, actor, params }) => detach(db, actor, params.id)),
  handle(listClassWares, ({ db, actor, query }) => classWarePage(db, actor, query)),
  handle(showClassWare, ({ db, actor, params }) => classWareOf(db, actor, params.id)),
  handle(addClassWare, ({ body: { class_id, ...ware }, ...asked }) => addToClass(asked, class_id, ware)),
  handle(editClassWare, ({ params, body, ...asked }) => changeClassWare(asked, params.id, body)),
  handle(uploadClassWare, ({ body, ...asked }) => keepUpload(asked, body)),
  handle(removeClassWare, ({ params, ...asked }) => dropClassWare(asked, params.id)),
  handle(chooseClassWares, ({ body, ...asked }) => chooseForClass(asked, body.class_id, body.ware_ids)),
];
