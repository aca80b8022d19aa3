/** Which function answers which call. */
import { handle } from '#server/school/context.ts';
import { addMembers, endMemberships, foreseeJoining, foreseeLeaving, listMembers, showMembership } from './contract.ts';
import { foreseenJoining, foreseenLeaving, join, leave, memberPage, showMembers } from './members.ts';

export const memberCalls = [
  handle(listMembers, ({ params, query, ...context }) => memberPage(context, params.id, query)),
  handle(showMembership, ({ params, ...context }) => showMembers(context, params.id)),
  handle(foreseeJoining, ({ params, query, ...context }) => foreseenJoining(context, params.id, query.ids)),
  handle(foreseeLeaving, ({ params, query, ...context }) => foreseenLeaving(context, params.id, query.ids)),
  handle(addMembers, ({ params, body, ...context }) => join(context, params.id, body)),
  handle(endMemberships, ({ params, body, ...context }) => leave(context, params.id, body)),
];
