/** Sign-in page for learners: takes a student number, then the code from a text message. */
import { data, redirect } from 'react-router';
import { Resume } from '../account/resume.tsx';
import { demoLearners } from '../api/process.server.ts';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { repostableFields, splitFields } from '../shell/posted-form.server.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/sign-in';
import { EmptyAnswer, Session } from './api-answers.ts';
import { applicationContext, callLearnerApi } from './client.server.ts';
import { CodeForm, NumberForm } from './code-form.tsx';
import styles from './learn.learn.module.css';
import { learnHome, learnSignIn } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('学员登录');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { redirectTo = learnHome.href() } = learnSignIn.at(url);
  const arrives = !repostableFields(context) && url.searchParams.size === 0;
  if (arrives && getSession(context).get('learner')) throw redirect(learnHome.href());
  return { redirectTo, learners: await demoLearners() };
}

interface Answered {
  refused?: RefusedForm;
  /** Set once a code was sent. */
  sent?: { number: string; msg: string };
  redirectTo: string;
  resume?: { path: string; fields: readonly (readonly [string, string])[] } | undefined;
  /** True after sign-in, if a form that was posted earlier waits to be sent. */
  goesOn?: boolean;
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'send', 'enter');
  const number = textOf(form, 'number').trim();
  const redirectTo = safeRedirect(textOf(form, 'redirectTo'), learnHome.href());
  const resume = form.has('resume')
    ? { path: safeRedirect(textOf(form, 'resume'), learnHome.href()), fields: splitFields(textOf(form, 'resume_body')) }
    : undefined;
  const asking = context.get(applicationContext);
  const { 'x-client-address': address = '' } = clientAddress(request);
  if (button === 'send') {
    const outcome = await callLearnerApi(asking, { path: 'session/code', body: { number, address } }, EmptyAnswer);
    if (outcome.ok) return data<Answered>({ sent: { number, msg: outcome.msg }, redirectTo, resume });
    const { status, msg, errors } = outcome;
    const typed: [string, string][] = [['number', number]];
    return data<Answered>({ refused: { msg: errors ? '' : msg, errors, typed }, redirectTo, resume }, { status });
  }
  const code = textOf(form, 'code').trim();
  const outcome = await callLearnerApi(asking, { path: 'session', body: { number, code, address } }, Session);
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    const refused = { msg: errors ? '' : msg, errors, typed: [['code', code]] as [string, string][] };
    return data<Answered>({ refused, sent: { number, msg: '' }, redirectTo, resume }, { status });
  }
  getSession(context).set('learner', outcome.data.token);
  if (!resume) throw redirect(redirectTo);
  return data<Answered>({ goesOn: true, redirectTo, resume });
}

export default function LearnSignIn({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.goesOn && actionData.resume) return <Resume {...actionData.resume} />;
  const { sent, refused, resume, redirectTo = loaderData.redirectTo } = actionData ?? {};
  const { learners } = loaderData;
  const kept = { refused, resume, redirectTo };
  return (
    <Screen className={styles.card}>
      <h1>学员登录</h1>
      {sent ? (
        <>
          {sent.msg && <p role="status">{sent.msg}</p>}
          <p>
            {sent.number}　<a href={learnSignIn.href({ redirectTo: redirectTo as `/${string}` })}>换一个号码</a>
          </p>
          <CodeForm {...kept} number={sent.number} />
        </>
      ) : (
        <NumberForm {...kept} />
      )}
      {learners.length > 0 && (
        <section className={styles.demo}>
          <h2>演示学员</h2>
          <ul>
            {learners.map(({ nickname, number }) => (
              <li key={number}>
                {nickname}：<code>{number}</code>
              </li>
            ))}
          </ul>
          <p>演示学校不发短信，验证码写在服务器的日志中。</p>
        </section>
      )}
    </Screen>
  );
}
