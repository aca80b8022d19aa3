import { handle } from '#server/school/context.ts';
import { addMembers, endMemberships, foreseeJoining, foreseeLeaving, listMembers, showMembership } from './contract.ts';
import { join, leave, memberPage, previewJoining, previewLeaving, showMembers } from './members.ts';

export const memberCalls = [
  handle(listMembers, ({ params, query, ...context }) => memberPage(context, params.id, query)),
  handle(showMembership, ({ params, ...context }) => showMembers(context, params.id)),
  handle(foreseeJoining, ({ params, query, ...context }) => previewJoining(context, params.id, query.ids)),
  handle(foreseeLeaving, ({ params, query, ...context }) => previewLeaving(context, params.id, query.ids)),
  handle(addMembers, ({ params, body, ...context }) => join(context, params.id, body)),
  handle(endMemberships, ({ params, body, ...context }) => leave(context, params.id, body)),
];
