/** What is asked by whoever has not signed in yet, and by providers. */

import type { SignedIn } from '#server/account/sign-in.contract.ts';
import type { PasswordRule } from '#server/settings/rules.ts';
import type { ProviderKind } from './rules.ts';

/** GET: the ways of signing in, of which the sign-in page has a button each. */
export const waysPath = '/api/auth/identity';
/**
 * POST `{provider, return_to, browser}`: the address to send the browser to. With `link` and a token, to link who somebody is
 * there to whom the token is of; who comes back has to have the token as well.
 */
export const beginPath = '/api/auth/identity/begin';
/** POST `{provider, browser, sent}`: who came back with what the provider sent along (the query of the address). */
export const completePath = '/api/auth/identity/complete';
/** POST with a token: signs out here, and says where the provider ends its own session. */
export const leavePath = '/api/auth/identity/leave';
/** Where CAS sends people back to, and tells that they signed out. */
export const casServicePath = '/api/auth/identity/cas';
/** Where a provider of OpenID Connect tells that somebody signed out. */
export const backChannelPath = '/api/auth/identity/oidc/logout';

/** Where people come back to, in the screens. */
export const returnPath = (kind: ProviderKind): string => `/login/from/${kind}`;

export interface Ways {
  providers: { kind: ProviderKind; name: string }[];
  passwords: PasswordRule;
  /** Where this product is found by them; empty: not said. */
  site: string;
}

export interface Begun {
  address: string;
}

/** Where they wanted to go, also of those who are refused. */
export interface Returned {
  return_to: string;
}
export type Completed = SignedIn & Returned;
/** Nobody was signed in: it was linked, or was to be. */
export interface Linked extends Returned {
  is_linking: 1;
}

/** Empty: nowhere else. */
export interface Left {
  onwards: string;
}
