/**
 * The identity provider redirects here. Signs the user in and goes on to the requested page; on failure it shows the
 * sign-in page with the reason.
 */
import { data, redirect } from 'react-router';
import {
  type CompletedSignIn,
  completeSignInPath,
  isLearnerState,
  type LinkedAccount,
  type ReturnTarget,
} from '#server/identity/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { learnSignInReturn } from '../learn/screens.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { redirectBack } from '../shell/form-action.server.ts';
import { home } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/return';
import { readBrowserKey } from './browser-key.server.ts';
import { returnUrl, tokenHeader } from './own-identity.server.ts';
import { signInCode, signInReturn } from './screens.ts';
import { readSignInPage } from './sign-in-page.server.ts';
import { SignInPage } from './sign-in-page.tsx';

export const meta: Route.MetaFunction = () => titleMeta('登录');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { provider } = signInReturn.at(url);
  // Providers know one address for both doors. A learner's sign-in is completed by the learners' page.
  if (isLearnerState(url.searchParams.get('state'))) throw redirect(learnSignInReturn.href({ provider }) + url.search);
  const completed = await askPath<CompletedSignIn | LinkedAccount>(completeSignInPath, {
    method: 'POST',
    body: { provider, browser: await readBrowserKey(request), sent: url.searchParams.toString() },
    headers: { ...clientAddress(request), ...tokenHeader(context) },
  });
  const linked = completed.data as Partial<LinkedAccount> | undefined;
  if (linked?.is_linking === 1) redirectBack(context, completed, returnUrl(url, linked.return_to));
  if (!completed.ok) {
    const to = (completed.data as Partial<ReturnTarget> | undefined)?.return_to;
    return data(
      { page: await readSignInPage(), redirectTo: safeRedirect(to, home.href()), message: completed.msg },
      { status: completed.status },
    );
  }
  const { token, identity, awaits_code, return_to } = completed.data as CompletedSignIn;
  const session = getSession(context);
  session.set('token', token);
  session.set('identity', identity);
  session.unset('left');
  const redirectTo = safeRedirect(return_to, home.href()) as `/${string}`;
  throw redirect(awaits_code === 1 ? signInCode.href({ redirectTo }) : redirectTo);
}

export default function LoginReturn({ loaderData: { page, redirectTo, message } }: Route.ComponentProps) {
  return <SignInPage page={page} redirectTo={redirectTo} message={message} />;
}
