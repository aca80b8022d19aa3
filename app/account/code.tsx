/** Asks for the code of the second factor, after the password. */
import { data, redirect } from 'react-router';
import { confirmSignIn } from '#server/account/second-factor.contract.ts';
import { type Me, showMe } from '#server/account/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { CodeForm, type CodeFormProps } from '../shell/code-form.tsx';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { repostableFields, splitFields } from '../shell/posted-form.server.ts';
import { home } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/code';
import styles from './login.learn.module.css';
import { Resume } from './resume.tsx';
import { signIn, signInCode } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('两步验证');

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = getSession(context).get('token');
  const known = token ? await askPath<Me>(showMe.path, { headers: { authorization: `Bearer ${token}` } }) : undefined;
  const { redirectTo = home.href() } = signInCode.at(url);
  if (!known || (!known.ok && known.status === 401)) throw redirect(signIn.href({ redirectTo }));
  if (known.ok && known.data.awaits_code === 0 && !repostableFields(context)) throw redirect(redirectTo);
  return { redirectTo };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const redirectTo = safeRedirect(textOf(form, 'redirectTo'), home.href());
  const resume = form.has('resume')
    ? { path: safeRedirect(textOf(form, 'resume'), home.href()), fields: splitFields(textOf(form, 'resume_body')) }
    : undefined;
  const outcome = await askPath<null>(confirmSignIn.path, {
    method: 'POST',
    body: { code: textOf(form, 'code') },
    headers: { ...clientAddress(request), authorization: `Bearer ${getSession(context).get('token') ?? ''}` },
  });
  if (outcome.ok) {
    if (resume) return { resume };
    throw redirect(redirectTo);
  }
  const { status, msg, errors } = outcome;
  // The time for entering the code is over, so the user starts again with the password.
  if (status === 401) throw redirect(signIn.href({ redirectTo }));
  return data<CodeFormProps>(
    { refused: { msg: errors?.code ? '' : msg, errors, typed: [['code', textOf(form, 'code')]] }, redirectTo, resume },
    { status },
  );
}

export default function LoginCode({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && 'refused' in actionData ? actionData : undefined;
  if (actionData?.resume && !refused) return <Resume {...actionData.resume} />;
  return (
    <Screen className={styles.page}>
      <h1 className={styles.school}>两步验证</h1>
      <p className={styles.lead}>请输入手机验证器上显示的6位数字，或一个恢复代码。</p>
      <CodeForm redirectTo={loaderData.redirectTo} {...refused} />
      <p className={styles.help}>
        <a href={signIn.href({ redirectTo: loaderData.redirectTo })}>换一个账号</a>
        <span>手机和恢复代码都不在身边时，请联系本校教务解除</span>
      </p>
    </Screen>
  );
}
