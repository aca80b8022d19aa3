/** Screens for identity providers and links to them, for administrators of all schools. */
import * as v from 'valibot';
import { LinkFilter } from '#server/identity/contract.ts';
import { missingLearnerLink, missingLink, missingProvider, providerKinds } from '#server/identity/rules.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

export const identityScreen = screen('AdminIdentity', '/admin/identity', 'sign-in-methods');
export const providerScreen = screen(
  'AdminIdentityProvider',
  '/admin/identity/provider',
  'provider',
  { kind: v.picklist(providerKinds) },
  { missing: missingProvider },
);

const missing = { missing: missingLink };
const missingLearner = { missing: missingLearnerLink };
export const linkScreen = screen('AdminIdentityLinks', '/admin/staff/identities', 'links', {}, missing);
export const linkList = listScreen(linkScreen, LinkFilter);
export const linkApprove = dialog(linkScreen, 'approve', 'approve', { link: ScreenId }, missing);
export const linkReject = dialog(linkScreen, 'reject', 'reject', { link: ScreenId }, missing);
export const linkRemove = dialog(linkScreen, 'remove', 'unlink', { link: ScreenId }, missing);
export const learnerLinkScreen = screen(
  'AdminLearnerLinks',
  '/admin/students/identities',
  'learner-links',
  {},
  missingLearner,
);
export const learnerLinkList = listScreen(learnerLinkScreen, LinkFilter);
export const learnerLinkApprove = dialog(
  learnerLinkScreen,
  'approve',
  'learner-approve',
  { link: ScreenId },
  missingLearner,
);
export const learnerLinkReject = dialog(
  learnerLinkScreen,
  'reject',
  'learner-reject',
  { link: ScreenId },
  missingLearner,
);
export const learnerLinkRemove = dialog(
  learnerLinkScreen,
  'remove',
  'learner-unlink',
  { link: ScreenId },
  missingLearner,
);
/** Adds a person to the staff who has tried to sign in by an identity provider and is not on the staff yet. */
export const linkAdd = screen(
  'AdminIdentityAdd',
  '/admin/staff/identities/add',
  'add',
  { link: ScreenId, identity: oneOf(identities, 'teacher') },
  missing,
);
