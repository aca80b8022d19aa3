import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { visibleNotices } from './visible.ts';

/** Finds notices by title for the global search, latest first. */
export function searchNotices(db: Database, actor: Actor, text: string, paging: Paging) {
  const notices = visibleNotices(db, actor).where(nameContains('class_notice.title', text));
  return pageOf(
    notices,
    paging,
    notices
      .innerJoin('class', 'class.id', 'class_notice.class_id')
      .select(['class_notice.id', 'class_notice.title', 'class_notice.class_id', 'class_notice.created_at'])
      .select('class.name as class_name')
      .orderBy('class_notice.created_at', 'desc')
      .orderBy('class_notice.id', 'desc'),
  );
}
