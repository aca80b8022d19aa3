/** Post, comment and like of a planted student in the circle of the class. */

import { studentMarks } from './planted-marks.ts';
import { noon, type TestSchool } from './school.ts';

const { text } = studentMarks;

/** Returns the id of the circle. */
export async function plantPost(
  school: TestSchool,
  id: number,
  { school_id, picture }: { school_id: number; picture: string },
): Promise<number> {
  const { db } = school.database;
  const { people, classes } = school;
  const circle = await db
    .insertInto('community_group')
    .values({
      group_type: 1,
      class_id: classes.k1,
      school_id,
      name: '一班圈',
      created_at: noon,
      put_away_at: null,
      post_num: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const post = await db
    .insertInto('community_post')
    .values({
      group_id: circle.id,
      user_type: 1,
      staff_id: null,
      student_id: id,
      content: `${text}帖子`,
      images: JSON.stringify([picture]),
      created_at: noon,
      deleted_at: null,
      deleted_by: null,
      comment_num: 1,
      like_num: 1,
      report_num: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('community_comment')
    .values({
      post_id: post.id,
      user_type: 1,
      staff_id: null,
      student_id: id,
      content: `${text}评论`,
      created_at: noon,
    })
    .execute();
  await db
    .insertInto('community_like')
    .values({ post_id: post.id, staff_id: null, student_id: id, created_at: noon })
    .execute();
  await db
    .insertInto('community_report')
    .values({ post_id: post.id, staff_id: people.teacher.id, type: 1, content: `${text}举报`, created_at: noon })
    .execute();
  await db
    .insertInto('history')
    .values({
      at: noon,
      staff_id: people.teacher.id,
      record: 'community_comment',
      record_id: 99_999,
      action: 'delete',
      before: JSON.stringify({ post_id: post.id, content: `${text}删掉的评论`, staff_id: null, student_id: id }),
      after: null,
    })
    .execute();
  return circle.id;
}
