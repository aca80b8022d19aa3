/** Signs the user out of this application, and then of the provider that was used to sign in. */
import { Button } from '@mantine/core';
import { createContext, redirect } from 'react-router';
import { type Me, showMe } from '#server/account/sign-in.contract.ts';
import { type SignOutRedirect, signOutPath } from '#server/identity/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { home } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/logout';
import styles from './login.learn.module.css';
import { signIn } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('退出登录');

/** Sign-out address of the identity provider. Written by the action that ends the session, read by the page. */
const providerSignOut = createContext<string | null>(null);

/** Revokes the token on the server, not only this browser's copy. */
export async function action({ context }: Route.ActionArgs) {
  const session = getSession(context);
  const token = session.get('token');
  let onwards = '';
  if (token) {
    const headers = { authorization: `Bearer ${token}` };
    const known = await askPath<Me>(showMe.path, { headers });
    if (known.ok) session.flash('signedOut', known.data.id);
    const left = await askPath<SignOutRedirect>(signOutPath, { method: 'POST', body: {}, headers });
    if (left.ok) onwards = left.data.onwards;
  }
  session.unset('token');
  session.unset('identity');
  session.set('left', true);
  if (onwards === '') throw redirect(signIn.href());
  context.set(providerSignOut, onwards);
  return null;
}

export function loader({ context }: Route.LoaderArgs) {
  const onwards = context.get(providerSignOut);
  if (onwards === null) throw redirect(home.href());
  return { onwards };
}

export default function Logout({ loaderData: { onwards } }: Route.ComponentProps) {
  return (
    <Screen className={styles.page}>
      {/* A refresh header leads on to the provider, because CSP allows forms to lead only to this site. */}
      <meta httpEquiv="refresh" content={`1;url=${onwards}`} />
      <h1 className={styles.school}>已退出本系统</h1>
      <p className={styles.lead}>正在退出学校的统一身份认证。没有自动跳转时请点击：</p>
      <Button component="a" href={onwards}>
        退出统一身份认证
      </Button>
    </Screen>
  );
}
