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
import { missingCommunity } from './rules.ts';

// Of two paths that both fit, the one that stands first answers: `mine` and `myGroup` come before `:id`.
const calls = [
  handle(classPosts, ({ params, query, ...context }) => circlePosts(context, params.classId, query)),
  handle(publishPostCall, ({ body, ...context }) => publishPost(context, body)),
  handle(deletePostsCall, ({ params, ...context }) => deletePosts(context, params.id)),
  handle(myPosts, ({ query, ...context }) => postsOfMine(context, query)),
  handle(showPost, ({ params, query, ...context }) => postById(context, params.id, query)),
  handle(myGroups, ({ query, ...context }) => groupPage(context, query)),
  handle(leaveGroupCall, ({ params, ...context }) => leaveGroup(context, params.id)),
  handle(groupPosts, ({ params, query, ...context }) => postsOfGroup(context, params.id, query)),
  handle(showGroup, ({ params, ...context }) => groupById(context, params.id)),
  handle(commentPost, ({ body, ...context }) => comment(context, body)),
  handle(likePost, ({ params, body, ...context }) => like(context, params.id, body.is_like !== 0)),
  handle(collectPost, ({ body, ...context }) => collect(context, body.post_id)),
  handle(cancelCollectCall, ({ params, ...context }) => cancelCollect(context, params.collectId)),
  handle(reportPost, ({ body, ...context }) => report(context, body)),
];

/** Without the community module none of its calls is there. */
const whileOffered = (bound: SchoolCall): SchoolCall => ({
  ...bound,
  answer: (context) => (context.settings.community_module ? bound.answer(context) : missing(missingCommunity)),
});

export const communityCalls = calls.map(whileOffered);
