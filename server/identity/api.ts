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
import { approve, approveNew, linkOf, linkPage, reject, takeApart } from './links.ts';
import { listOwnIdentities, unlinkOwn } from './own-identities.contract.ts';
import { ownIdentities, unlinkOwnIdentity } from './own-identities.ts';
import { attemptProvider, readIdentity, storeProvider, storeSignInMethods } from './settings.ts';

export const ownIdentityCalls = [
  handle(listOwnIdentities, ownIdentities),
  handle(unlinkOwn, ({ params, ...context }) => unlinkOwnIdentity(context, params.provider)),
];

export const identityCalls = [
  handle(showIdentity, readIdentity),
  handle(saveProvider, ({ params, body, ...context }) => storeProvider(context, params.kind, body)),
  // Runs outside a transaction, because it calls the provider.
  handle(tryProvider, { prepare: ({ params, body, ...context }) => attemptProvider(context, params.kind, body) }),
  handle(saveSignInMethods, { prepare: ({ body, ...context }) => storeSignInMethods(context, body) }),
  handle(listLinks, ({ query, ...context }) => linkPage(context, query)),
  handle(showLink, ({ params, ...context }) => linkOf(context, params.id)),
  handle(approveLink, ({ params, body, ...context }) => approve(context, params.id, body.username)),
  handle(approveNewStaff, ({ params, body, ...context }) => approveNew(context, params.id, body)),
  handle(rejectLink, ({ params, ...context }) => reject(context, params.id)),
  handle(unlink, ({ params, ...context }) => takeApart(context, params.id)),
];
