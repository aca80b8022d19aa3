/** Requests that a browser makes before it is signed in, and requests that providers make. */

import type { SignedIn } from '#server/account/sign-in.contract.ts';
import type { PasswordRule } from '#server/settings/rules.ts';
import type { ProviderKind } from './rules.ts';

/** GET: returns the ways to sign in, for the buttons of the sign-in page. */
export const signInMethodsPath = '/api/auth/identity';
/**
 * POST `{provider, return_to, browser}`: returns the URL to send the browser to. With `link` and a user's token, the
 * provider's account will be linked to that user, who must present the token again on return.
 */
export const beginSignInPath = '/api/auth/identity/begin';
/** POST `{provider, browser, sent}`: completes a sign-in. `sent`: the query of the return URL. */
export const completeSignInPath = '/api/auth/identity/complete';
/** POST with a token: signs the user out, and returns the provider's logout URL. */
export const signOutPath = '/api/auth/identity/leave';
/** The URL under which CAS knows this product: it redirects here, and posts logout notifications here. */
export const casServicePath = '/api/auth/identity/cas';
/** URL to which an OpenID Connect provider posts back-channel logouts. */
export const backChannelPath = '/api/auth/identity/oidc/logout';

/** URL of the screen to which the provider redirects the browser. */
export const returnPath = (kind: ProviderKind): string => `/login/from/${kind}`;

/** Prefix of the `state` of a learner's sign-in, by which the return finds its page. The stored attempt decides. */
export const learnerStatePrefix = 'learn-';
export const isLearnerState = (state: string | null): boolean => /^learn-[\w-]{43}$/.test(state ?? '');
/** The `state` with which a provider returns a learner who signed out to the sign-in page. */
export const learnersLeft = 'learn';

export interface SignInMethods {
  providers: { kind: ProviderKind; name: string }[];
  passwords: PasswordRule;
  /** Origin of this product as providers know it; '' if it is not configured. */
  site: string;
}

export interface SignInRedirect {
  address: string;
}

/** Path of the page that the user wanted to open; also returned after a refusal. */
export interface ReturnTarget {
  return_to: string;
}
export type CompletedSignIn = SignedIn & ReturnTarget;
/** Result of linking an account, whether or not it succeeded; nobody was signed in by it. */
export interface LinkedAccount extends ReturnTarget {
  is_linking: 1;
}

/** `onwards`: the provider's logout URL; '' if the browser need not go there. */
export interface SignOutRedirect {
  onwards: string;
}
