import { screen } from '../lib/screen.ts';
import { OwnAddress, oneOf } from '../lib/search.ts';

/** `redirectTo`: where to go on after signing in. */
export const signIn = screen('Login', '/login', { redirectTo: OwnAddress }, { largeForm: true });
export const signOut = screen('account/logout', '/logout');

export const accountTabs = ['profile', 'security', 'devices'] as const;
export type AccountTab = (typeof accountTabs)[number];
export const account = screen('Account', '/account', { tab: oneOf(accountTabs, 'profile') }, { files: true });
