/** Redirects to an identity provider. On failure it shows the sign-in card with the reason. */
import { data, redirect } from 'react-router';
import { ensureBrowserKey } from '../account/browser-key.server.ts';
import { originOf } from '../api/process.server.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/identity-begin';
import { BegunIdentity } from './api-answers.ts';
import { applicationContext, callLearnerApi } from './client.server.ts';
import { deviceMark, deviceMarkMiddleware } from './device-mark.server.ts';
import { learnHome, learnSignInBegin } from './screens.ts';
import { readSignInCard } from './sign-in-card.server.ts';
import { SignInCard } from './sign-in-card.tsx';

export const middleware: Route.MiddlewareFunction[] = [deviceMarkMiddleware];

export const meta: Route.MetaFunction = () => titleMeta('学员登录');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { provider, redirectTo = learnHome.href(), moved } = learnSignInBegin.at(url);
  const card = await readSignInCard(context);
  // The provider returns to the configured address of the site. Cookies belong to one host name, so a browser that uses
  // another host name is first redirected to the configured address.
  if (card.site && !moved && originOf(request) !== card.site)
    throw redirect(
      card.site + learnSignInBegin.href({ provider, redirectTo: redirectTo as `/${string}`, moved: true }),
    );
  const { key, headers } = await ensureBrowserKey(request);
  const { 'x-client-address': address = '' } = clientAddress(request);
  const body = {
    provider,
    browser: key,
    return_to: redirectTo,
    user_agent: request.headers.get('user-agent') ?? '',
    device: context.get(deviceMark),
    address,
  };
  const begun = await callLearnerApi(
    context.get(applicationContext),
    { path: 'session/identity', body },
    BegunIdentity,
  );
  if (begun.ok) throw redirect(begun.data.address, { headers });
  return data({ card, redirectTo: redirectTo as string, message: begun.msg }, { status: begun.status });
}

export default function LearnerIdentityBegin({ loaderData }: Route.ComponentProps) {
  return <SignInCard {...loaderData} by="code" />;
}
