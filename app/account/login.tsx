import { data, redirect } from 'react-router';
import { loginPath, type SignedIn } from '#server/account/sign-in.contract.ts';
import { learnersLeft } from '#server/identity/sign-in.contract.ts';
import { apiClient, askPath } from '../api/client.server.ts';
import { learnSignIn } from '../learn/screens.ts';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { CodeForm, type CodeFormProps } from '../shell/code-form.tsx';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { repostableFields, splitFields } from '../shell/posted-form.server.ts';
import { getRequestId } from '../shell/protection.server.ts';
import { home } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import type { SignInFormProps } from '../shell/sign-in-form.tsx';
import { titleMeta } from '../shell/title.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { Island } from '../ui/island.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/login';
import styles from './login.learn.module.css';
import { Resume } from './resume.tsx';
import { signIn, signInCode } from './screens.ts';
import { readSignInPage } from './sign-in-page.server.ts';
import { SignInPage } from './sign-in-page.tsx';

export const meta: Route.MetaFunction = () => titleMeta('登录');

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { redirectTo = home.href(), shown, state } = signIn.at(url);
  if (state === learnersLeft) throw redirect(learnSignIn.href());
  const arrives = !repostableFields(context) && url.searchParams.size === 0;
  if (arrives && (await isSignedIn(request, context, url))) throw redirect(home.href());
  const signedOut = getSession(context).get('signedOut');
  const page = await readSignInPage();
  return data({ redirectTo, shown, signedOut, page }, page.away && { status: page.away.status });
}

/** True if the session has a token that the API still accepts. */
async function isSignedIn(request: Request, context: RequestContext, url: URL): Promise<boolean> {
  const session = getSession(context);
  const [token, identity = 'teacher'] = [session.get('token'), session.get('identity')];
  if (!token) return false;
  const known = await apiClient({ token, identity, request, url, requestId: getRequestId(context) }).me();
  return known.ok || known.status !== 401;
}

interface LoginRefused extends RefusedForm, Pick<SignInFormProps, 'redirectTo' | 'resume'> {}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const resume = form.has('resume')
    ? { path: safeRedirect(textOf(form, 'resume'), home.href()), fields: splitFields(textOf(form, 'resume_body')) }
    : undefined;
  const outcome = await askPath<SignedIn>(loginPath, {
    method: 'POST',
    body: { username: textOf(form, 'username'), password: textOf(form, 'password') },
    headers: clientAddress(request),
  });
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    const typed: [string, string][] = [['username', textOf(form, 'username')]];
    const redirectTo = safeRedirect(textOf(form, 'redirectTo'), home.href());
    return data<LoginRefused>({ msg, errors, typed, resume, redirectTo }, { status });
  }
  const session = getSession(context);
  session.set('token', outcome.data.token);
  session.set('identity', outcome.data.identity);
  session.unset('left');
  const redirectTo = safeRedirect(textOf(form, 'redirectTo'), home.href());
  const awaitsCode = outcome.data.awaits_code === 1;
  if (resume) return awaitsCode ? { code: { redirectTo, resume } } : { resume };
  throw redirect(awaitsCode ? signInCode.href({ redirectTo }) : redirectTo);
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'code' in actionData && actionData.code) return <AskForCode {...actionData.code} />;
  const refused = actionData && 'msg' in actionData ? actionData : undefined;
  if (actionData?.resume && !refused) return <Resume {...actionData.resume} />;
  const redirectTo = refused?.redirectTo ?? loaderData.redirectTo;
  const { page, shown, signedOut } = loaderData;
  return (
    <SignInPage
      page={page}
      redirectTo={redirectTo}
      message={actionData ? undefined : page.away?.msg}
      refused={refused}
      shown={shown}
      resume={actionData?.resume}
    >
      {signedOut !== undefined && (
        <Island name="form-draft.island" props={{}} fallback={<div hidden data-signed-out={signedOut} />} />
      )}
    </SignInPage>
  );
}

/**
 * The form that asks for the code of the second factor. If another form was posted while signed out, its fields travel
 * along as hidden fields.
 */
function AskForCode(form: CodeFormProps) {
  return (
    <Screen className={styles.page}>
      <h1 className={styles.school}>两步验证</h1>
      <p className={styles.lead}>请输入手机验证器上显示的6位数字，或一个恢复代码。</p>
      <CodeForm {...form} />
    </Screen>
  );
}
