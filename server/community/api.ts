import { missing } from '#server/platform/calls/outcome.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle, type SchoolCall } from '#server/school/context.ts';
import { addClass, addPeople, memberPage, removeMembers } from './circle-members.ts';
import {
  addCircle,
  addCircleClass,
  addCirclePeople,
  archiveCircle,
  editCircle,
  listCircleMembers,
  listCircles,
  removeCircleMembers,
  restoreCircle,
  showCircle,
} from './circles.contract.ts';
import { archiveCircleOf, circlePage, circleRecord, createCircle, restoreCircleOf, updateCircle } from './circles.ts';
import {
  cancelCollect as cancelCollectCall,
  classPosts,
  collectPost,
  commentPost,
  deletePosts as deletePostsCall,
  leaveCircle as leaveGroupCall,
  likePost,
  listCirclePosts,
  listOwnCircles,
  myPosts,
  publishPost as publishPostCall,
  reportPost,
  showOwnCircle,
  showPost,
} from './contract.ts';
import { findVisibleCircle, leaveCircleOf, ownCirclePage } from './own-circles.ts';
import { circlePosts, classCirclePosts, ownPosts, postById } from './posts.ts';
import { deletePosts, publishPost } from './publish.ts';
import {
  deleteReportedComment,
  deleteReportedPost,
  dismissReports,
  listReportedPosts,
  reportedSchools,
  showReportedPost,
  undoReports,
} from './reports.contract.ts';
import {
  deleteComment,
  deletePost,
  dismissPostReports,
  reportedPage,
  reportedPost,
  undoReportDecision,
} from './reports.ts';
import { addCommentOf, addFavourite, likePostOf, removeFavourite, reportPostOf } from './respond.ts';
import { missingCommunity } from './rules.ts';

const calls = [
  handle(classPosts, ({ params, query, ...context }) => classCirclePosts(context, params.classId, query)),
  handle(publishPostCall, ({ body, ...context }) => publishPost(context, body)),
  handle(deletePostsCall, ({ params, ...context }) => deletePosts(context, params.id)),
  handle(myPosts, ({ query, ...context }) => ownPosts(context, query)),
  handle(showPost, ({ params, query, ...context }) => postById(context, params.id, query)),
  handle(listOwnCircles, ({ query, ...context }) => ownCirclePage(context, query)),
  handle(leaveGroupCall, ({ params, ...context }) => leaveCircleOf(context, params.id)),
  handle(listCirclePosts, ({ params, query, ...context }) => circlePosts(context, params.id, query)),
  handle(showOwnCircle, ({ params, ...context }) => findVisibleCircle(context, params.id)),
  handle(commentPost, ({ body, ...context }) => addCommentOf(context, body)),
  handle(likePost, ({ params, body, ...context }) => likePostOf(context, params.id, body.is_like !== 0)),
  handle(collectPost, ({ body, ...context }) => addFavourite(context, body.post_id)),
  handle(cancelCollectCall, ({ params, ...context }) => removeFavourite(context, params.collectId)),
  handle(reportPost, ({ body, ...context }) => reportPostOf(context, body)),
];

/** Makes a community call answer 404 while the school has switched the community off. */
const ifCommunityIsOn = (bound: SchoolCall): SchoolCall => ({
  ...bound,
  answer: (context) => (context.settings.community_module ? bound.answer(context) : missing(missingCommunity)),
});

export const communityCalls = calls.map(ifCommunityIsOn);

export const circleCalls = [
  handle(listCircles, ({ query, ...context }) => circlePage(context, query)),
  handle(showCircle, ({ params, ...context }) => circleRecord(context, params.id)),
  handle(addCircle, ({ body, ...context }) => createCircle(context, body)),
  handle(editCircle, ({ params, body, ...context }) => updateCircle(context, params.id, body)),
  handle(archiveCircle, ({ params, body, ...context }) => archiveCircleOf(context, params.id, body.acknowledged)),
  handle(restoreCircle, ({ params, ...context }) => restoreCircleOf(context, params.id)),
  handle(listCircleMembers, ({ params, query, ...context }) => memberPage(context, params.id, query)),
  handle(addCircleClass, ({ params, body, ...context }) => addClass(context, params.id, body.class_id)),
  handle(addCirclePeople, ({ params, body, ...context }) => addPeople(context, params.id, body.lines)),
  handle(removeCircleMembers, ({ params, body, ...context }) => removeMembers(context, params.id, body)),
].map(ifCommunityIsOn);

/** Moderation of reported posts. Administrators can use it even while the community is switched off. */
export const reportCalls = [
  handle(listReportedPosts, ({ query, ...context }) => reportedPage(context, query)),
  handle(reportedSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showReportedPost, ({ params, ...context }) => reportedPost(context, params.id)),
  handle(deleteReportedPost, ({ params, body, ...context }) => deletePost(context, params.id, body.acknowledged)),
  handle(dismissReports, ({ params, ...context }) => dismissPostReports(context, params.id)),
  handle(undoReports, ({ params, ...context }) => undoReportDecision(context, params.id)),
  handle(deleteReportedComment, ({ params, ...context }) => deleteComment(context, params)),
];
