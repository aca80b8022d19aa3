import { missing } from '#server/platform/calls/outcome.ts';
import { handle, type SchoolCall } from '#server/school/context.ts';
import {
  cancelCollect as cancelCollectCall,
  classPosts,
  collectPost,
  commentPost,
  deletePosts as deletePostsCall,
  groupPosts,
  leaveGroup as leaveGroupCall,
  likePost,
  myGroups,
  myPosts,
  publishPost as publishPostCall,
  reportPost,
  showGroup,
  showPost,
} from './contract.ts';
import { groupById, groupPage, leaveGroup } from './groups.ts';
import { circlePosts, postById, postsOfGroup, postsOfMine } from './posts.ts';
import { deletePosts, publishPost } from './publish.ts';
import { cancelCollect, collect, comment, like, report } from './respond.ts';

// Of two paths that both fit, the one that stands first answers: `mine` and `myGroup` come before `:id`.
const calls = [
  handle(classPosts, ({ params, query, ...asked }) => circlePosts(asked, params.classId, query)),
  handle(publishPostCall, ({ body, ...asked }) => publishPost(asked, body)),
  handle(deletePostsCall, ({ params, ...asked }) => deletePosts(asked, params.id)),
  handle(myPosts, ({ query, ...asked }) => postsOfMine(asked, query)),
  handle(showPost, ({ params, query, ...asked }) => postById(asked, params.id, query)),
  handle(myGroups, ({ query, ...asked }) => groupPage(asked, query)),
  handle(leaveGroupCall, ({ params, ...asked }) => leaveGroup(asked, params.id)),
  handle(groupPosts, ({ params, query, ...asked }) => postsOfGroup(asked, params.id, query)),
  handle(showGroup, ({ params, ...asked }) => groupById(asked, params.id)),
  handle(commentPost, ({ body, ...asked }) => comment(asked, body)),
  handle(likePost, ({ params, body, ...asked }) => like(asked, params.id, body.is_like !== 0)),
  handle(collectPost, ({ body, ...asked }) => collect(asked, body.post_id)),
  handle(cancelCollectCall, ({ params, ...asked }) => cancelCollect(asked, params.collectId)),
  handle(reportPost, ({ body, ...asked }) => report(asked, body)),
];

/** Without the community module none of its calls is there. */
const whileOffered = (bound: SchoolCall): SchoolCall => ({
  ...bound,
  answer: (context) => (context.settings.community_module ? bound.answer(context) : missing('学校没有开放社区')),
});

export const communityCalls = calls.map(whileOffered);
