/** Where one signs in and out, and the account. */
import { OwnAddress, oneOf, screen } from '../lib/screen.ts';

/** `redirectTo`: where to go on after signing in. */
export const signIn = screen('Login', '/login', { redirectTo: OwnAddress });
export const signOut = screen('account/logout', '/logout');

export const accountTabs = ['profile', 'security', 'devices'] as const;
export type AccountTab = (typeof accountTabs)[number];
export const account = screen('Account', '/account', { tab: oneOf(accountTabs, 'profile') });
