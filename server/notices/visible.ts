/** Queries of the notices that a user sees: the notices of visible classes. Any other notice is 404. */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingNotice } from './rules.ts';

export const visibleNotices = (db: Database, actor: Viewer) =>
  db.selectFrom('class_notice').where('class_notice.class_id', 'in', visibleClasses(db, actor).select('class.id'));

export const noticeNotFound = () => missing(missingNotice);
