/**
 * Queries of the circles and posts that a user may see. Every read starts here, so that others are 404.
 *
 * A class's circle is visible to whoever sees the class, unless the class hides it. A circle that people join is
 * visible to its members, unless it is archived. While the school has switched the community off, nothing is visible.
 */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { classesHeadedBy } from '#server/school/staff-duties.ts';
import { missingCircle, missingPost } from './rules.ts';

export type CommunityContext = RuleContext<'actor' | 'settings' | 'now'>;

/** The part of the context that decides which posts are visible. */
export interface PostViewer {
  db: Database;
  actor: Viewer;
  settings: Pick<SchoolSettings, 'community_module' | 'class_circle'>;
}

export const circleNotFound = () => missing(missingCircle);
export const postNotFound = () => missing(missingPost);

/** Ids of state-school classes whose circle the actor sees. */
export function classesWithCircle({ db, actor, settings }: PostViewer) {
  return visibleClasses(db, actor)
    .select('class.id')
    .where('class.group_hidden', '=', 1)
    .where((eb) => eb.lit(settings.community_module && settings.class_circle));
}

/** Selects the visible circles; callers add conditions and columns. */
export function visibleCircles(context: PostViewer) {
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
  // A union instead of `or`: with `or` SQLite scans all circles of the school.
  return db
    .selectFrom('community_group')
    .where('community_group.id', 'in', circles.union(joined))
    .where('community_group.put_away_at', 'is', null);
}

/** Selects the visible posts that are not deleted; callers add conditions and columns. */
export function visiblePosts(context: PostViewer) {
  return context.db
    .selectFrom('community_post')
    .where('community_post.deleted_at', 'is', null)
    .where('community_post.group_id', 'in', visibleCircles(context).select('community_group.id'));
}

/** Ids of circles whose posts the user may delete: the circles of classes that the user heads. */
export function circlesHeadedBy(db: Database, actor: Pick<Viewer, 'id'>) {
  return db
    .selectFrom('community_group')
    .select('community_group.id')
    .where('community_group.class_id', 'in', classesHeadedBy(db, actor));
}
