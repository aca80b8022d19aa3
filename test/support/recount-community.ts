import { expect } from 'vitest';
import type { Database } from '#server/platform/db/engine.ts';

/** Compares every counter of the community with a recount. */
export async function expectCommunityCountersToBeRight(db: Database): Promise<void> {
  const posts = await db.selectFrom('community_post').selectAll().execute();
  const tally = async (table: 'community_comment' | 'community_like') => {
    const counts = new Map<number, number>();
    for (const { post_id } of await db.selectFrom(table).select('post_id').execute()) {
      counts.set(post_id, (counts.get(post_id) ?? 0) + 1);
    }
    return counts;
  };
  const comments = await tally('community_comment');
  const likes = await tally('community_like');
  const reports = new Map<number, number>();
  // Dismissed reports do not count.
  for (const { post_id, outcome } of await db.selectFrom('community_report').select(['post_id', 'outcome']).execute())
    if (outcome !== 2) reports.set(post_id, (reports.get(post_id) ?? 0) + 1);
  const wrong = posts.filter(
    ({ id, comment_num, like_num, report_num }) =>
      comment_num !== (comments.get(id) ?? 0) ||
      like_num !== (likes.get(id) ?? 0) ||
      report_num !== (reports.get(id) ?? 0),
  );
  expect(wrong, 'posts with wrong counters').toEqual([]);
  const members = await db.selectFrom('community_member').select('group_id').execute();
  const groups = await db.selectFrom('community_group').selectAll().execute();
  const wrongGroups = groups.filter(
    ({ id, group_type, post_num, user_num }) =>
      post_num !== posts.filter(({ group_id, deleted_at }) => group_id === id && deleted_at === null).length ||
      (group_type === 2 && user_num !== members.filter(({ group_id }) => group_id === id).length),
  );
  expect(wrongGroups, 'groups with wrong counters').toEqual([]);
}
