import { handle } from '#server/school/context.ts';
import {
  approveLink,
  approveNewStaff,
  listLinks,
  rejectLink,
  saveProvider,
  saveSignInMethods,
  showIdentity,
  showLink,
  tryProvider,
  unlink,
} from './contract.ts';
import {
  approveLearnerRequest,
  findLearnerLink,
  learnerLinkPage,
  rejectLearnerRequest,
  unlinkLearnerAccount,
} from './learner-link-decisions.ts';
import {
  approveLearnerLink,
  listLearnerLinks,
  rejectLearnerLink,
  showLearnerLink,
  unlinkLearner,
} from './learner-links.contract.ts';
import { approveAsNewStaff, approveLinkRequest, linkOf, linkPage, rejectLinkRequest, unlinkPerson } from './links.ts';
import { listOwnIdentities, unlinkOwn } from './own-identities.contract.ts';
import { ownIdentities, unlinkOwnIdentity } from './own-identities.ts';
import { readIdentity, storeProvider, storeSignInMethods, testProvider } from './settings.ts';

export const ownIdentityCalls = [
  handle(listOwnIdentities, ownIdentities),
  handle(unlinkOwn, ({ params, ...context }) => unlinkOwnIdentity(context, params.provider)),
];

export const identityCalls = [
  handle(showIdentity, readIdentity),
  handle(saveProvider, ({ params, body, ...context }) => storeProvider(context, params.kind, body)),
  // Waits for the identity provider, so it runs before the transaction, which must be short.
  handle(tryProvider, { prepare: ({ params, body, ...context }) => testProvider(context, params.kind, body) }),
  handle(saveSignInMethods, { prepare: ({ body, ...context }) => storeSignInMethods(context, body) }),
  handle(listLinks, ({ query, ...context }) => linkPage(context, query)),
  handle(showLink, ({ params, ...context }) => linkOf(context, params.id)),
  handle(approveLink, ({ params, body, ...context }) => approveLinkRequest(context, params.id, body.username)),
  handle(approveNewStaff, ({ params, body, ...context }) => approveAsNewStaff(context, params.id, body)),
  handle(rejectLink, ({ params, ...context }) => rejectLinkRequest(context, params.id)),
  handle(unlink, ({ params, ...context }) => unlinkPerson(context, params.id)),
  handle(listLearnerLinks, ({ query, ...context }) => learnerLinkPage(context, query)),
  handle(showLearnerLink, ({ params, ...context }) => findLearnerLink(context, params.id)),
  handle(approveLearnerLink, ({ params, body, ...context }) => approveLearnerRequest(context, params.id, body)),
  handle(rejectLearnerLink, ({ params, ...context }) => rejectLearnerRequest(context, params.id)),
  handle(unlinkLearner, ({ params, ...context }) => unlinkLearnerAccount(context, params.id)),
];
