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
import { changeCircle, circlePage, circleRecord, hideCircle, makeCircle, showCircleAgain } from './circles.ts';
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
import { circlePosts, ownPosts, postById, postsOfGroup } from './posts.ts';
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
import { cancelCollect, collect, comment, like, report } from './respond.ts';
import { missingCommunity } from './rules.ts';

const calls = [
  handle(classPosts, ({ params, query, ...context }) => circlePosts(context, params.classId, query)),
  handle(publishPostCall, ({ body, ...context }) => publishPost(context, body)),
  handle(deletePostsCall, ({ params, ...context }) => deletePosts(context, params.id)),
  handle(myPosts, ({ query, ...context }) => ownPosts(context, query)),
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

/** Answers 404 for every community call while the module is off. */
const whileOffered = (bound: SchoolCall): SchoolCall => ({
  ...bound,
  answer: (context) => (context.settings.community_module ? bound.answer(context) : missing(missingCommunity)),
});

export const communityCalls = calls.map(whileOffered);

export const circleCalls = [
  handle(listCircles, ({ query, ...context }) => circlePage(context, query)),
  handle(showCircle, ({ params, ...context }) => circleRecord(context, params.id)),
  handle(addCircle, ({ body, ...context }) => makeCircle(context, body)),
  handle(editCircle, ({ params, body, ...context }) => changeCircle(context, params.id, body)),
  handle(archiveCircle, ({ params, body, ...context }) => hideCircle(context, params.id, body.acknowledged)),
  handle(restoreCircle, ({ params, ...context }) => showCircleAgain(context, params.id)),
  handle(listCircleMembers, ({ params, query, ...context }) => memberPage(context, params.id, query)),
  handle(addCircleClass, ({ params, body, ...context }) => addClass(context, params.id, body.class_id)),
  handle(addCirclePeople, ({ params, body, ...context }) => addPeople(context, params.id, body.lines)),
  handle(removeCircleMembers, ({ params, body, ...context }) => removeMembers(context, params.id, body)),
].map(whileOffered);

/** Moderation of reported posts. Available to administrators even while the module is off for everybody else. */
export const reportCalls = [
  handle(listReportedPosts, ({ query, ...context }) => reportedPage(context, query)),
  handle(reportedSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showReportedPost, ({ params, ...context }) => reportedPost(context, params.id)),
  handle(deleteReportedPost, ({ params, body, ...context }) => deletePost(context, params.id, body.acknowledged)),
  handle(dismissReports, ({ params, ...context }) => dismissPostReports(context, params.id)),
  handle(undoReports, ({ params, ...context }) => undoReportDecision(context, params.id)),
  handle(deleteReportedComment, ({ params, ...context }) => deleteComment(context, params)),
];
