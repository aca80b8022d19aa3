import { handle } from '#server/school/context.ts';
import {
  addMembers,
  endMemberships,
  listMembers,
  showJoiningPreview,
  showLeavingPreview,
  showMembership,
} from './contract.ts';
import { addStudentsToClass, previewJoining } from './joining.ts';
import { previewLeaving, removeStudentsFromClass } from './leaving.ts';
import { memberPage, showMembers } from './members.ts';

export const memberCalls = [
  handle(listMembers, ({ params, query, ...context }) => memberPage(context, params.id, query)),
  handle(showMembership, ({ params, ...context }) => showMembers(context, params.id)),
  handle(showJoiningPreview, ({ params, query, ...context }) => previewJoining(context, params.id, query.ids)),
  handle(showLeavingPreview, ({ params, query, ...context }) => previewLeaving(context, params.id, query.ids)),
  handle(addMembers, ({ params, body, ...context }) => addStudentsToClass(context, params.id, body)),
  handle(endMemberships, ({ params, body, ...context }) => removeStudentsFromClass(context, params.id, body)),
];
