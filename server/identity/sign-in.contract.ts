/** Requests made before sign-in, and by providers. */

import type { SignedIn } from '#server/account/sign-in.contract.ts';
import type { PasswordRule } from '#server/settings/rules.ts';
import type { ProviderKind } from './rules.ts';

/** GET: the sign-in methods, for the buttons of the sign-in page. */
export const signInMethodsPath = '/api/auth/identity';
/**
 * POST `{provider, return_to, browser}`: the URL to send the browser to. With `link` and a token: links the provider's
 * account to the token's user, who must also present the token on return.
 */
export const beginSignInPath = '/api/auth/identity/begin';
/** POST `{provider, browser, sent}`: completes a sign-in. `sent`: the query of the return URL. */
export const completeSignInPath = '/api/auth/identity/complete';
/** POST with a token: signs out, and returns the provider's logout URL. */
export const signOutPath = '/api/auth/identity/leave';
/** Service URL of CAS: return URL, and target of its logout notifications. */
export const casServicePath = '/api/auth/identity/cas';
/** Target of back-channel logout (OpenID Connect). */
export const backChannelPath = '/api/auth/identity/oidc/logout';

/** Return URL in the screens. */
export const returnPath = (kind: ProviderKind): string => `/login/from/${kind}`;

export interface SignInMethods {
  providers: { kind: ProviderKind; name: string }[];
  passwords: PasswordRule;
  /** Origin of this product as providers know it; empty: not set. */
  site: string;
}

export interface SignInRedirect {
  address: string;
}

/** Path the user wanted to open, also after a refusal. */
export interface ReturnTarget {
  return_to: string;
}
export type CompletedSignIn = SignedIn & ReturnTarget;
/** The account was linked, or was to be; nobody signed in. */
export interface LinkedAccount extends ReturnTarget {
  is_linking: 1;
}

/** Empty: no redirect. */
export interface SignOutRedirect {
  onwards: string;
}
