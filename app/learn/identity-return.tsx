/**
 * Signs a learner in who comes back from an identity provider. account/return.tsx forwards here: providers know one
 * return address for staff and learners. On failure it shows the sign-in card with the reason.
 */
import { data, redirect } from 'react-router';
import * as v from 'valibot';
import { readBrowserKey } from '../account/browser-key.server.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/identity-return';
import { CompletedIdentity, ReturnTarget } from './api-answers.ts';
import { applicationContext, callLearnerApi } from './client.server.ts';
import { deviceMark, deviceMarkMiddleware } from './device-mark.server.ts';
import { learnHome, learnSignInReturn } from './screens.ts';
import { readSignInCard } from './sign-in-card.server.ts';
import { SignInCard } from './sign-in-card.tsx';

export const middleware: Route.MiddlewareFunction[] = [deviceMarkMiddleware];

export const meta: Route.MetaFunction = () => titleMeta('学员登录');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { provider } = learnSignInReturn.at(url);
  const { 'x-client-address': address = '' } = clientAddress(request);
  const body = {
    provider,
    browser: await readBrowserKey(request),
    sent: url.searchParams.toString(),
    device: context.get(deviceMark),
    address,
  };
  const completed = await callLearnerApi(
    context.get(applicationContext),
    { path: 'session/identity/complete', body },
    CompletedIdentity,
  );
  if (!completed.ok) {
    const to = v.is(ReturnTarget, completed.data) ? completed.data.return_to : undefined;
    return data(
      { card: await readSignInCard(context), redirectTo: safeRedirect(to, learnHome.href()), message: completed.msg },
      { status: completed.status },
    );
  }
  getSession(context).set('learner', completed.data.token);
  throw redirect(safeRedirect(completed.data.return_to, learnHome.href()));
}

export default function LearnerIdentityReturn({ loaderData }: Route.ComponentProps) {
  return <SignInCard {...loaderData} by="code" />;
}
