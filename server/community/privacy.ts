/**
 * Erasing a student empties their posts and comments but keeps the rows, because others replied to them and counters
 * include them.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { erasedText, type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';

const posts = (db: Database, { id }: Person) => db.selectFrom('community_post').where('student_id', '=', id);

export const personalCommunity: readonly PersonalTable[] = [
  {
    table: 'community_post',
    becomes: 'emptied',
    rows: posts,
    async erase(db, who) {
      const rows = await posts(db, who).select(['content', 'images']).execute();
      await db
        .updateTable('community_post')
        .set({ content: erasedText, images: '[]' })
        .where('student_id', '=', who.id)
        .execute();
      return unsharedFileKeys(rows);
    },
  },
  {
    table: 'community_comment',
    becomes: 'emptied',
    rows: (db, { id }) => db.selectFrom('community_comment').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.updateTable('community_comment').set({ content: erasedText }).where('student_id', '=', id).execute();
      return [];
    },
  },
  {
    // Complaints about a student's post may quote it, so their text is emptied too.
    table: 'community_report',
    becomes: 'emptied',
    rows: (db, who) =>
      db.selectFrom('community_report').where('post_id', 'in', posts(db, who).select('community_post.id')),
    isOthers: 1,
    async erase(db, who) {
      await db
        .updateTable('community_report')
        .set({ content: '' })
        .where('post_id', 'in', posts(db, who).select('community_post.id'))
        .execute();
      return [];
    },
  },
  {
    table: 'community_member',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('community_member').where('student_id', '=', id),
  },
  {
    table: 'community_like',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('community_like').where('student_id', '=', id),
  },
];
