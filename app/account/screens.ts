import * as v from 'valibot';
import { missingSetup, missingStaff } from '#server/account/rules.ts';
import { StaffFilter } from '#server/account/staff.contract.ts';
import { missingProvider, providerKinds } from '#server/identity/rules.ts';
import { learnersLeft } from '#server/identity/sign-in.contract.ts';
import { identities } from '#server/platform/auth/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { CheckedParam, oneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

/**
 * The sign-in page. `redirectTo`: address to go to afterwards. `shown`: the typed password is visible. `state`: a
 * provider returns somebody who signed out, a learner if it is `learn`.
 */
export const signIn = screen(
  'Login',
  '/login',
  'login',
  { redirectTo: ReturnAddress, shown: CheckedParam, state: oneOf(['', learnersLeft], '') },
  { bare: true, largeForm: true },
);
export const signOut = screen('account/logout', '/logout', 'logout', {}, { bare: true });
export const signInCode = screen(
  'LoginCode',
  '/login/code',
  'code',
  { redirectTo: ReturnAddress },
  { bare: true, largeForm: true },
);
/**
 * Redirects to an identity provider, which later redirects to LoginReturn. `moved`: the browser was just redirected
 * here from another host name. `link`: links the provider's account to the signed-in user instead of signing in.
 */
export const signInBegin = screen(
  'LoginBegin',
  '/login/to/:provider',
  'begin',
  { provider: v.picklist(providerKinds), redirectTo: ReturnAddress, moved: CheckedParam, link: CheckedParam },
  { bare: true, missing: missingProvider },
);
export const signInReturn = screen(
  'LoginReturn',
  '/login/from/:provider',
  'return',
  { provider: v.picklist(providerKinds) },
  { bare: true, missing: missingProvider },
);
/** First start of an empty school: creates the first administrator. */
export const setup = screen(
  'Setup',
  '/setup/:code',
  'setup',
  { code: v.string() },
  { bare: true, missing: missingSetup },
);

export const accountTabs = ['profile', 'security', 'devices'] as const;
export type AccountTab = (typeof accountTabs)[number];
export const account = screen(
  'Account',
  '/account',
  'account',
  { tab: oneOf(accountTabs, 'profile') },
  { files: true },
);

export const secondFactor = screen('SecondFactor', '/account/second-factor', 'second-factor');

const staff = { missing: missingStaff };

export const staffScreen = screen('AdminStaff', '/admin/staff', 'staff/list');
export const staffList = listScreen(staffScreen, StaffFilter);
export const staffAdd = screen('AdminStaffAdd', '/admin/staff/add', 'staff/add', {
  identity: oneOf(identities, 'teacher'),
});
export const staffEdit = screen('AdminStaffEdit', '/admin/staff/edit', 'staff/edit', { id: ScreenId }, staff);
/** First passwords: the administrator picks staff, then gets a sheet to print. */
export const staffPasswords = screen('AdminStaffPasswords', '/admin/staff/passwords', 'staff/passwords');

export const staffDetail = screen('AdminStaffDetail', '/admin/staff/detail', 'staff/detail', { id: ScreenId }, staff);
export const staffDisable = dialog(staffDetail, 'disable', 'staff/disable');
export const staffEnable = dialog(staffDetail, 'enable', 'staff/enable');
export const staffReset = dialog(staffDetail, 'password', 'staff/reset');
export const staffSignOut = dialog(staffDetail, 'sign-out', 'staff/sign-out');
export const staffSecondFactor = dialog(staffDetail, 'second-factor', 'staff/second-factor');
