/** Redirects to an identity provider. On failure it redirects to the sign-in page with the reason. */
import { data, redirect } from 'react-router';
import {
  beginSignInPath,
  type SignInMethods,
  type SignInRedirect,
  signInMethodsPath,
} from '#server/identity/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { originOf } from '../api/process.server.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { redirectBack } from '../shell/form-action.server.ts';
import { home } from '../shell/screens.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/begin';
import { ensureBrowserKey } from './browser-key.server.ts';
import { returnUrl, tokenHeader } from './own-identity.server.ts';
import { signInBegin } from './screens.ts';
import { readSignInPage } from './sign-in-page.server.ts';
import { SignInPage } from './sign-in-page.tsx';

export const meta: Route.MetaFunction = () => titleMeta('登录');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { provider, redirectTo = home.href(), moved, link } = signInBegin.at(url);
  const ways = await askPath<SignInMethods>(signInMethodsPath);
  const site = ways.ok ? ways.data.site : '';
  // The provider returns to the configured address of the site. Cookies belong to one host name, so a browser that uses
  // another host name is first redirected to the configured address.
  if (site && !moved && originOf(request) !== site) {
    throw redirect(site + signInBegin.href({ provider, redirectTo: redirectTo as `/${string}`, moved: true, link }));
  }
  const { key, headers } = await ensureBrowserKey(request);
  const begun = await askPath<SignInRedirect>(beginSignInPath, {
    method: 'POST',
    body: { provider, return_to: redirectTo, browser: key, ...(link && { link: '1' }) },
    headers: { ...clientAddress(request), ...(link && tokenHeader(context)) },
  });
  if (begun.ok) throw redirect(begun.data.address, { headers });
  if (link) redirectBack(context, begun, returnUrl(url, redirectTo));
  return data(
    { page: await readSignInPage(), redirectTo: redirectTo as string, message: begun.msg },
    { status: begun.status },
  );
}

export default function LoginBegin({ loaderData: { page, redirectTo, message } }: Route.ComponentProps) {
  return <SignInPage page={page} redirectTo={redirectTo} message={message} />;
}
