import { handle } from '#server/school/context.ts';
import { deleteNotice, editNotice, listNotices, postNotice, showNotice } from './contract.ts';
import { edit, noticeById, noticePage, post, remove } from './notices.ts';

export const noticeCalls = [
  handle(listNotices, ({ db, actor, query }) => noticePage(db, actor, query)),
  handle(showNotice, ({ db, actor, params }) => noticeById(db, actor, params.id)),
  handle(postNotice, ({ body, ...asked }) => post(asked, body)),
  handle(editNotice, ({ params, body, ...asked }) => edit(asked, params.id, body)),
  handle(deleteNotice, ({ params, ...asked }) => remove(asked, params.id)),
];
