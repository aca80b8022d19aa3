/**
 * Sign-in page for learners: takes a number with the code from a text message, or with a password, and leads to the
 * school's identity providers.
 */
import { data, redirect } from 'react-router';
import { passwordMessages } from '#server/learners/rules.ts';
import { accessMessages } from '#server/school/rules.ts';
import { Resume } from '../account/resume.tsx';
import type { RefusedOutcome } from '../api/outcome.server.ts';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { repostableFields } from '../shell/posted-form.server.ts';
import { getRequestId } from '../shell/protection.server.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/sign-in';
import { EmptyAnswer, Me, Session } from './api-answers.ts';
import { applicationContext, callLearnerApi } from './client.server.ts';
import { deviceMark, deviceMarkMiddleware } from './device-mark.server.ts';
import styles from './learn.learn.module.css';
import { type PostedAgain, readResume } from './resume.server.ts';
import { learnHome, learnPassword, learnSignIn, type SignInWay } from './screens.ts';
import { readSignInCard } from './sign-in-card.server.ts';
import { SignInCard } from './sign-in-card.tsx';
import { OwnPasswordForm } from './sign-in-forms.tsx';
import { firstPasswordNote } from './terms.ts';

export const middleware: Route.MiddlewareFunction[] = [deviceMarkMiddleware];

export const meta: Route.MetaFunction = () => titleMeta('学员登录');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { redirectTo = learnHome.href(), by, number } = learnSignIn.at(url);
  const arrives = !repostableFields(context) && url.searchParams.size === 0;
  if (arrives && (await isSignedIn(context))) throw redirect(learnHome.href());
  return { redirectTo, number, by, card: await readSignInCard(context) };
}

/** True if the session has a learner's token that the API still accepts. */
async function isSignedIn(context: RequestContext): Promise<boolean> {
  const token = getSession(context).get('learner');
  if (!token) return false;
  const known = await callLearnerApi({ token, requestId: getRequestId(context) }, { path: 'me' }, Me);
  return known.ok || known.status !== 401;
}

interface SignInFormResult {
  refused?: RefusedForm;
  /** The number to which a code was just sent, and the message about it. */
  sent?: { number: string; msg: string };
  /** Way to sign in that the refused form used. */
  by?: SignInWay;
  redirectTo: string;
  resume?: PostedAgain | undefined;
  /**
   * Set after sign-in if an earlier posted form continues: at once (`resume`), or once the first password is changed
   * (`password`).
   */
  next?: 'resume' | 'password';
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'send', 'enter', 'password');
  const number = textOf(form, 'number').trim();
  const redirectTo = safeRedirect(textOf(form, 'redirectTo'), learnHome.href());
  const resume = readResume(form);
  const asking = context.get(applicationContext);
  const { 'x-client-address': address = '' } = clientAddress(request);
  const kept = { redirectTo, resume };
  const refusedBy = (
    { status, msg, errors }: RefusedOutcome,
    typed: [string, string][],
    more: Partial<SignInFormResult>,
  ) => data<SignInFormResult>({ refused: { msg: errors ? '' : msg, errors, typed }, ...kept, ...more }, { status });
  if (button === 'send') {
    const outcome = await callLearnerApi(asking, { path: 'session/code', body: { number, address } }, EmptyAnswer);
    if (outcome.ok) return data<SignInFormResult>({ sent: { number, msg: outcome.msg }, ...kept });
    return refusedBy(outcome, [['number', number]], { by: 'code' });
  }
  const device = context.get(deviceMark);
  if (button === 'password') {
    const password = textOf(form, 'password');
    const errors = signInErrors(number, password);
    const outcome = errors
      ? ({ ok: false, status: 422, msg: '', errors } as const)
      : await callLearnerApi(asking, { path: 'session', body: { number, password, device, address } }, Session);
    if (!outcome.ok) return refusedBy(outcome, [['number', number]], { by: 'password' });
    getSession(context).set('learner', outcome.data.token);
    const isFirst = outcome.data.must_change_password === 1;
    if (!resume) throw redirect(isFirst ? learnPassword.href({ redirectTo: redirectTo as `/${string}` }) : redirectTo);
    return data<SignInFormResult>({ next: isFirst ? 'password' : 'resume', ...kept });
  }
  const code = textOf(form, 'code').trim();
  const outcome = await callLearnerApi(asking, { path: 'session', body: { number, code, device, address } }, Session);
  if (!outcome.ok) return refusedBy(outcome, [['code', code]], { sent: { number, msg: '' } });
  getSession(context).set('learner', outcome.data.token);
  if (!resume) throw redirect(redirectTo);
  return data<SignInFormResult>({ next: 'resume', ...kept });
}

function signInErrors(number: string, password: string): Record<string, string[]> | undefined {
  const errors: Record<string, string[]> = {};
  if (number === '') errors.number = [accessMessages.noNumber];
  if (password === '') errors.password = [passwordMessages.noPassword];
  return Object.keys(errors).length > 0 ? errors : undefined;
}

export default function LearnerSignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { sent, refused, resume, next, redirectTo = loaderData.redirectTo } = actionData ?? {};
  if (next === 'resume' && resume) return <Resume {...resume} />;
  const kept = { refused, resume, redirectTo };
  if (next === 'password')
    return (
      <Screen className={styles.card}>
        <h1>设置自己的密码</h1>
        <p>{firstPasswordNote}</p>
        <OwnPasswordForm {...kept} asksOld={false} />
      </Screen>
    );
  const { card, number, by } = loaderData;
  return <SignInCard {...kept} card={card} number={number} sent={sent} by={actionData?.by ?? by} />;
}
