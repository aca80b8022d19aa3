/**
 * Who sees which circles, groups and posts. Every read starts here; what is not seen is 404.
 *
 * The circle of a class is seen by who sees the class, while the school has circles and the class does not hide its
 * own. A group is seen by who joined it, unless it is put away. Without the community module there is nothing.
 */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classesHeadedBy } from '#server/school/reach.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { missingGroup, missingPost } from './rules.ts';

/** What every rule of the community is asked with. */
export type CommunityContext = RuleContext<'actor' | 'settings' | 'now'>;

/** What of it says which posts are seen. */
export interface Seeing {
  db: Database;
  actor: Viewer;
  settings: Pick<SchoolSettings, 'community_module' | 'class_circle'>;
}

export const noGroup = () => missing(missingGroup);
export const noPost = () => missing(missingPost);

/** Ids of the state-school classes whose circle is shown to the actor. */
export function classesWithCircle({ db, actor, settings }: Seeing) {
  return visibleClasses(db, actor)
    .select('class.id')
    .where('class.group_hidden', '=', 1)
    .where((eb) => eb.lit(settings.community_module && settings.class_circle));
}

/** The circles and groups that the actor sees, to be narrowed. */
export function visibleGroups(context: Seeing) {
  const { db, actor, settings } = context;
  const circles = db
    .selectFrom('community_group')
    .select('community_group.id')
    .where('community_group.class_id', 'in', classesWithCircle(context));
  const joined = db
    .selectFrom('community_member')
    .select('community_member.group_id as id')
    .where('community_member.staff_id', '=', actor.id)
    .where((eb) => eb.lit(settings.community_module));
  // Not `or`: for that SQLite goes through all groups of the school.
  return db
    .selectFrom('community_group')
    .where('community_group.id', 'in', circles.union(joined))
    .where('community_group.put_away_at', 'is', null);
}

/** The posts that the actor sees and that are not deleted, to be narrowed. */
export function visiblePosts(context: Seeing) {
  return context.db
    .selectFrom('community_post')
    .where('community_post.deleted_at', 'is', null)
    .where('community_post.group_id', 'in', visibleGroups(context).select('community_group.id'));
}

/** Ids of the circles whose posts the actor may delete: of the classes that they head. */
export function circlesHeadedBy(db: Database, actor: Pick<Viewer, 'id'>) {
  return db
    .selectFrom('community_group')
    .select('community_group.id')
    .where('community_group.class_id', 'in', classesHeadedBy(db, actor));
}
