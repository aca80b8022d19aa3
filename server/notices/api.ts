import { handle } from '#server/school/context.ts';
import { deleteNotice, editNotice, listNotices, postNotice, showNotice } from './contract.ts';
import { addNotice, noticeById, noticePage, removeNotice, updateNotice } from './notices.ts';

export const noticeCalls = [
  handle(listNotices, ({ db, actor, query }) => noticePage(db, actor, query)),
  handle(showNotice, ({ db, actor, params }) => noticeById(db, actor, params.id)),
  handle(postNotice, ({ body, ...context }) => addNotice(context, body)),
  handle(editNotice, ({ params, body, ...context }) => updateNotice(context, params.id, body)),
  handle(deleteNotice, ({ params, ...context }) => removeNotice(context, params.id)),
];
