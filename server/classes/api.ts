import { handle } from '#server/http/handle.ts';
import { listClasses, listLargeClasses, showClass } from './contract.ts';
import { classDetail } from './detail.ts';
import { classPage, largeClasses } from './list.ts';

export const classCalls = [
  handle(listClasses, ({ db, actor, query, now }) => classPage(db, actor, query, now)),
  handle(listLargeClasses, ({ db, actor }) => largeClasses(db, actor)),
  handle(showClass, ({ db, actor, params }) => classDetail(db, actor, params.id)),
];
