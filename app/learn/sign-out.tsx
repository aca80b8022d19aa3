/** Signs the learner out here, and then of the provider that was used to sign in. */
import { Button } from '@mantine/core';
import { createContext, redirect } from 'react-router';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { getRequestId } from '../shell/protection.server.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/sign-out';
import { SignedOut } from './api-answers.ts';
import { callLearnerApi } from './client.server.ts';
import styles from './learn.learn.module.css';
import { learnHome, learnSignIn } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('退出登录');

/** Sign-out address of the identity provider. Written by the action that ends the session, read by the page. */
const providerSignOut = createContext<string | null>(null);

/** Revokes the token on the server, not only this browser's copy. */
export async function action({ request, context }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), '');
  const session = getSession(context);
  const token = session.get('learner');
  const caller = { token: token ?? '', requestId: getRequestId(context) };
  const left = token ? await callLearnerApi(caller, { path: 'session/identity/end', body: {} }, SignedOut) : undefined;
  session.unset('learner');
  session.set('left', true);
  if (!left?.ok || left.data.onwards === '') throw redirect(learnSignIn.href());
  context.set(providerSignOut, left.data.onwards);
  return null;
}

export function loader({ context }: Route.LoaderArgs) {
  const onwards = context.get(providerSignOut);
  if (onwards === null) throw redirect(learnHome.href());
  return { onwards };
}

export default function LearnerSignOut({ loaderData: { onwards } }: Route.ComponentProps) {
  return (
    <Screen className={styles.card}>
      {/* A refresh header leads on to the provider, because CSP allows forms to lead only to this site. */}
      <meta httpEquiv="refresh" content={`1;url=${onwards}`} />
      <h1>已退出学员端</h1>
      <p>正在退出学校的统一身份认证，以免别人用这台设备登录。没有自动跳转时请点击：</p>
      <Button component="a" href={onwards} data-block>
        退出统一身份认证
      </Button>
    </Screen>
  );
}
