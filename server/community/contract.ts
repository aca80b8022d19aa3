import * as v from 'valibot';
import {
  FlagNumber,
  IdList,
  page,
  pageOnly,
  paging,
  RefusalPreview,
  SearchId,
  Seconds,
  searchOneOf,
  TypedText,
  WholeNumber,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { call } from '#server/school/call.ts';
import {
  circleTypes,
  communityMessages,
  communityPageSize,
  postImageLimit,
  postLimit,
  postTabs,
  reportTypes,
  tidyContent,
  userTypes,
} from './rules.ts';

// ---- circles -----------------------------------------------------------------------------------------

export const Circle = v.object({
  id: v.number(),
  name: v.string(),
  /** URL of a picture; '' if there is none. */
  image: v.string(),
  introduction: v.string(),
  group_type: v.picklist(circleTypes),
  /** Id of the class whose circle this is; 0 for a circle that people join. */
  class_id: v.number(),
  post_num: v.number(),
  user_num: v.number(),
  /** 1: the user may leave this circle. The circle of one's own class cannot be left. */
  is_can_leave: FlagNumber,
});
export type Circle = v.InferOutput<typeof Circle>;

export const OwnCircleFilter = v.object({ group_type: searchOneOf(circleTypes), ...paging(communityPageSize) });
export type OwnCircleFilter = v.InferOutput<typeof OwnCircleFilter>;

export const listOwnCircles = call({
  method: 'GET',
  path: 'community/group/myGroup',
  title: '我的圈子',
  query: OwnCircleFilter,
  answer: page(Circle),
});

export const leaveCircle = call({
  method: 'GET',
  alsoPost: true,
  path: 'community/group/outGroup/:id',
  title: '退出圈子',
  answer: v.null(),
  message: '退出圈子成功',
});

export const showOwnCircle = call({ method: 'GET', path: 'community/group/:id', title: '圈子信息', answer: Circle });

// ---- posts ------------------------------------------------------------------------------------------

export const Post = v.object({
  id: v.number(),
  group_id: v.number(),
  group_name: v.string(),
  group_type: v.picklist(circleTypes),
  /** Id of the class whose circle has the post; 0 for a circle that people join. */
  class_id: v.number(),
  /** Plain text. */
  content: v.string(),
  /** URLs of the pictures. */
  images: v.array(v.string()),
  like_num: v.number(),
  comment_num: v.number(),
  nickname: v.string(),
  user_type: v.picklist(userTypes),
  created_at: Seconds,
  /** 1: the user wrote this post. */
  is_own: FlagNumber,
  /** 1: the user likes this post. */
  is_like: FlagNumber,
  /** Id of the post among the user's favourites; 0 if it is none. */
  collect_id: v.number(),
  is_can_delete: FlagNumber,
  /** Number of complaints about the post; always 0 for users who may not delete it. */
  report_num: v.number(),
});
export type Post = v.InferOutput<typeof Post>;

/** Lists the posts of a class's circle, newest first. */
export const classPosts = call({
  method: 'GET',
  path: 'community/post/class/:classId',
  title: '班级圈子的帖子',
  query: pageOnly(),
  answer: page(Post),
});

export const listCirclePosts = call({
  method: 'GET',
  path: 'community/group/post/:id',
  title: '圈子的帖子',
  query: pageOnly(communityPageSize),
  answer: page(Post),
});
export const MyPostFilter = v.object({ tab: searchOneOf(postTabs), ...paging(communityPageSize) });

export const myPosts = call({
  method: 'GET',
  path: 'community/post/mine',
  title: '我的帖子',
  query: MyPostFilter,
  answer: page(Post),
});

export const Comment = v.object({
  id: v.number(),
  /** Plain text. */
  content: v.string(),
  nickname: v.string(),
  user_type: v.picklist(userTypes),
  created_at: Seconds,
  is_own: FlagNumber,
});
export type Comment = v.InferOutput<typeof Comment>;

/** `comments`: one page, newest first. `comment_num` counts all. */
export const PostWithComments = v.object({
  ...Post.entries,
  comments: v.array(Comment),
  /** Refusals that reporting or deleting the post would get now, so that the screen can say so beforehand. */
  refusals: v.object({ report: RefusalPreview, delete: RefusalPreview }),
  page: v.number(),
  limit: v.number(),
});
export type PostWithComments = v.InferOutput<typeof PostWithComments>;

export const showPost = call({
  method: 'GET',
  path: 'community/post/:id',
  title: '帖子与评论',
  query: pageOnly(),
  answer: PostWithComments,
});

// Wrong bodies are not refused by the schema, so that the rules can refuse each field with a sentence of their own.
/** Accepts a list of URLs, the list as JSON text, or URLs separated by commas. */
const Images = v.fallback(
  v.pipe(
    v.optional(
      v.union([
        v.array(v.string()),
        v.pipe(v.string(), v.startsWith('['), v.parseJson(), v.array(v.string())),
        v.pipe(
          v.string(),
          v.transform((text) => text.split(',').map((one) => one.trim())),
        ),
      ]),
      [],
    ),
    v.transform((images) => images.filter((image) => image !== '')),
  ),
  ['?'],
);

/** `class_id` instead of `group_id` posts in the circle of that class. The circle is created if needed. */
export const NewPost = v.object({ group_id: SearchId, class_id: SearchId, content: TypedText, images: Images });
export type NewPost = v.InferOutput<typeof NewPost>;

/** A post complete enough to be published. The form checks it before sending, and the API again. */
export const CompletePost = v.object({
  content: v.pipe(
    v.string(),
    v.transform(tidyContent),
    v.nonEmpty(communityMessages.content),
    v.check((content) => lengthOf(content) <= postLimit, communityMessages.contentLength),
  ),
  images: v.pipe(v.array(v.string()), v.maxLength(postImageLimit, communityMessages.images)),
});

export const publishPost = call({
  method: 'POST',
  path: 'community/post',
  title: '发布帖子',
  body: NewPost,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/** `id`: one or more ids, separated by commas. Deletes all or none. */
export const deletePosts = call({
  method: 'DELETE',
  path: 'community/post/:id',
  title: '删除帖子',
  params: { id: IdList },
  answer: v.null(),
  message: '删除成功',
});

// ---- reactions: calls that are not in the specification, except the one that removes a favourite ----

export const commentPost = call({
  method: 'POST',
  path: 'community/comment',
  title: '评论帖子',
  body: v.object({ post_id: SearchId, content: TypedText }),
  answer: v.object({ id: v.number() }),
  message: '提交成功',
});

export const likePost = call({
  method: 'PUT',
  path: 'community/like/:id',
  title: '点赞或取消点赞',
  /** 1 likes, 0 unlikes. */
  body: v.object({ is_like: v.fallback(v.optional(WholeNumber, 1), 1) }),
  answer: v.object({ like_num: v.number(), is_like: FlagNumber }),
  message: '操作成功',
});

export const collectPost = call({
  method: 'POST',
  path: 'community/collect',
  title: '收藏帖子',
  body: v.object({ post_id: SearchId }),
  answer: v.object({ collect_id: v.number() }),
  message: '收藏成功',
});

export const cancelCollect = call({
  method: 'PUT',
  path: 'community/collect/:collectId',
  title: '取消收藏帖子',
  answer: v.null(),
  message: '取消收藏成功',
});

export const reportPost = call({
  method: 'POST',
  path: 'community/report',
  title: '举报帖子',
  body: v.object({ post_id: SearchId, type: searchOneOf(reportTypes), content: TypedText }),
  answer: v.null(),
  message: '提交成功',
});
