import { screen } from '../lib/screen.ts';
import { OwnAddress, oneOf, Ticked } from '../lib/search.ts';

/** `redirectTo`: where to go on after signing in; `shown`: the password is read as it is typed. */
export const signIn = screen('Login', '/login', { redirectTo: OwnAddress, shown: Ticked }, { largeForm: true });
export const signOut = screen('account/logout', '/logout');

export const accountTabs = ['profile', 'security', 'devices'] as const;
export type AccountTab = (typeof accountTabs)[number];
export const account = screen('Account', '/account', { tab: oneOf(accountTabs, 'profile') }, { files: true });
