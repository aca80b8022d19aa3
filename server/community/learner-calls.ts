/** Declares the calls of learners about circles: addresses, inputs, answers, examples. */

import * as v from 'valibot';
import { BodyUid, QueryUid, shortBodyBytes } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, Id, SearchId, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { ChangeFilter, changesOf, removedIdsField } from '#server/school/change-feed.ts';

export const LearnerPost = v.object({
  id: v.number(),
  group_id: v.number(),
  group_name: v.string(),
  /** Id of the class whose circle this is; 0 for a circle that people join. */
  class_id: v.number(),
  nickname: v.string(),
  /** 1 student, 2 lecturer, 3 teaching assistant, 4 the school. */
  user_type: v.number(),
  is_own: FlagNumber,
  /** Plain text. */
  content: v.string(),
  images: v.array(v.string()),
  like_num: v.number(),
  comment_num: v.number(),
  is_like: FlagNumber,
  created_at: Seconds,
});

const examplePost: v.InferOutput<typeof LearnerPost> = {
  id: 15,
  group_id: 2,
  group_name: '高一(2)班',
  class_id: 3,
  nickname: '李老师',
  user_type: 2,
  is_own: 0,
  content: '明天带圆规',
  images: [],
  like_num: 3,
  comment_num: 1,
  is_like: 0,
  created_at: 1795060800,
};

export const listPosts = call({
  method: 'GET',
  path: '/api/app/circle',
  title: '学员的圈子',
  description:
    '班级圈子与所加入小组的帖子，按发布先后；可按 group 只看一个圈子。带 since 时，removed 为此后删除的帖子 id（可能重复）。新加入的班级或小组此前的帖子，不带 since 重新取得。',
  query: v.object({ uid: QueryUid, group: SearchId, ...ChangeFilter }),
  answer: v.object({ ...changesOf(LearnerPost).entries, ...removedIdsField }),
  example: { query: { uid: 12 }, answer: { list: [examplePost], since: '1795060800-15', more: 0, removed: [] } },
});

export const showPost = call({
  method: 'GET',
  path: '/api/app/circle/:postId',
  title: '学员查看帖子与评论',
  params: { postId: Id },
  query: v.object({ uid: QueryUid }),
  answer: v.object({
    ...LearnerPost.entries,
    /** The latest 200, oldest first. */
    comments: v.array(
      v.object({
        id: v.number(),
        content: v.string(),
        nickname: v.string(),
        user_type: v.number(),
        is_own: FlagNumber,
        created_at: Seconds,
      }),
    ),
  }),
  example: {
    params: { postId: 15 },
    query: { uid: 12 },
    answer: {
      ...examplePost,
      comments: [{ id: 31, content: '收到', nickname: '林小满', user_type: 1, is_own: 1, created_at: 1795060900 }],
    },
  },
});

export const addPost = call({
  method: 'POST',
  path: '/api/app/circle',
  title: '学员发帖',
  description: 'group_id 为圈子；班级圈子还没有帖子时用 class_id。十分钟内同样的内容只发布一次。',
  bodyLimit: shortBodyBytes,
  body: v.object({
    uid: BodyUid,
    group_id: SearchId,
    class_id: SearchId,
    content: TypedText,
    images: v.optional(v.array(v.string()), []),
  }),
  answer: v.object({ id: v.number() }),
  message: '发布成功',
  example: { body: { uid: 12, group_id: 2, content: '谁有今天的笔记？', images: [] }, answer: { id: 16 } },
});

export const addComment = call({
  method: 'POST',
  path: '/api/app/circle/:postId/comment',
  title: '学员评论',
  description: '十分钟内同样的内容只保存一次。',
  params: { postId: Id },
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid, content: TypedText }),
  answer: v.object({ id: v.number() }),
  message: '评论成功',
  example: { params: { postId: 15 }, body: { uid: 12, content: '收到' }, answer: { id: 31 } },
});

export const likePost = call({
  method: 'POST',
  path: '/api/app/circle/:postId/like',
  title: '学员点赞',
  description: 'like 为1点赞，0取消；重复发送没有影响。',
  params: { postId: Id },
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid, like: v.optional(FlagNumber, 1) }),
  answer: v.object({ like_num: v.number(), is_like: FlagNumber }),
  message: '操作成功',
  example: { params: { postId: 15 }, body: { uid: 12, like: 1 }, answer: { like_num: 4, is_like: 1 } },
});
