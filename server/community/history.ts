import { type RecordHistory, textBeginning, titlesFromColumn } from '#server/school/history-record.ts';

const userTypes = { 1: '学员', 2: '讲师', 3: '助教', 4: '学校' };

export const communityHistory = {
  community_group: {
    actions: ['add', 'edit', 'put-away', 'restore', 'join', 'remove', 'leave'],
    said: { leave: '退出', join: '添加成员', remove: '移除成员' },
    fields: {
      user_num: '人数',
      group_name: '名称',
      name: '名称',
      introduction: '简介',
      school_id: ['学校', 'school'],
      class_ids: ['班级', 'class'],
      student_ids: ['学员', 'student'],
      staff_ids: ['人员', 'staff'],
      is_put_away: ['已归档', 'flag'],
    },
    titled: titlesFromColumn('community_group', 'name', 'school_id'),
  },
  community_post: {
    actions: ['publish', 'delete', 'like', 'unlike', 'collect', 'uncollect', 'report', 'dismiss', 'undo'],
    said: { dismiss: '驳回举报', undo: '撤销举报处理' },
    fields: {
      content: '内容',
      group_id: ['圈子', 'community_group'],
      user_type: ['作者身份', userTypes],
      staff_id: ['作者', 'staff'],
      student_id: ['作者', 'student'],
      waiting: '待处理的举报',
      is_deleted: ['已删除', 'flag'],
    },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('community_post')
          .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
          .select(['community_post.id', 'community_post.content as title', 'community_group.school_id'])
          .where('community_post.id', 'in', ids)
          .execute()
      ).map((row) => ({ ...row, title: textBeginning(row.title) })),
  },
  community_comment: {
    actions: ['add', 'delete'],
    fields: {
      post_id: ['帖子', 'hidden'],
      content: '内容',
      staff_id: ['作者', 'staff'],
      student_id: ['作者', 'student'],
    },
    titled: (db, ids) =>
      db
        .selectFrom('community_comment')
        .innerJoin('community_post', 'community_post.id', 'community_comment.post_id')
        .innerJoin('community_group', 'community_group.id', 'community_post.group_id')
        .select(['community_comment.id', 'community_comment.content as title', 'community_group.school_id'])
        .where('community_comment.id', 'in', ids)
        .execute(),
  },
} as const satisfies Record<string, RecordHistory>;
