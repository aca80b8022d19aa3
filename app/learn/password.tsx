/**
 * The learner's own password: chosen after the first sign-in with a printed one, or changed later. Below it the links
 * to the school's identity providers.
 */
import { data } from 'react-router';
import { Resume } from '../account/resume.tsx';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { readButton, readPostedForm, redirectBack, redirectWithMessage } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/password';
import { EmptyAnswer, OwnLinks, OwnPassword } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { OwnLinksList } from './own-links.tsx';
import { type PostedAgain, readResume } from './resume.server.ts';
import { learnHome, learnPassword, learnSignOut } from './screens.ts';
import { OwnPasswordForm } from './sign-in-forms.tsx';
import { firstPasswordNote } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('登录密码');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { redirectTo = learnHome.href() } = learnPassword.at(url);
  const client = context.get(learnerContext);
  const own = await client.get('password', OwnPassword);
  // With a first password nothing else can be read.
  const links = own.must_change_password === 1 ? [] : await client.get('identities', OwnLinks);
  return { redirectTo, own, links };
}

interface PasswordFormResult {
  /** Undefined if the password was changed. The form that was posted earlier then continues. */
  refused?: RefusedForm;
  redirectTo: string;
  resume?: PostedAgain | undefined;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, provider = ''] = readButton(form, '', 'unlink');
  const client = context.get(learnerContext);
  if (button === 'unlink')
    redirectBack(context, await client.post('identities/remove', { provider }, EmptyAnswer), url);
  const redirectTo = safeRedirect(textOf(form, 'redirectTo'), learnHome.href());
  const resume = readResume(form);
  const body = {
    old_password: textOf(form, 'old_password'),
    new_password: textOf(form, 'new_password'),
    new_password_confirmation: textOf(form, 'new_password_confirmation'),
  };
  const outcome = await client.post('password', body, EmptyAnswer);
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    return data<PasswordFormResult>({ refused: { msg: errors ? '' : msg, errors }, redirectTo, resume }, { status });
  }
  if (!resume) return redirectWithMessage(context, outcome.msg, redirectTo);
  return data<PasswordFormResult>({ redirectTo, resume });
}

const noteOf = ({ asks_old }: OwnPassword): string =>
  asks_old === 1
    ? '修改后，在其他设备上的登录会退出，本设备保持登录。'
    : '您还没有密码。设置密码后，可以用学号或手机号和密码登录；在其他设备上的登录会退出，本设备保持登录。';

export default function LearnerPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { refused, resume, redirectTo = loaderData.redirectTo } = actionData ?? {};
  if (resume && !refused) return <Resume {...resume} />;
  const { own, links } = loaderData;
  const isFirst = own.must_change_password === 1;
  return (
    <Screen className={styles.card}>
      <h1>{isFirst ? '设置自己的密码' : '登录密码'}</h1>
      <p>{isFirst ? firstPasswordNote : noteOf(own)}</p>
      <OwnPasswordForm refused={refused} redirectTo={redirectTo} resume={resume} asksOld={own.asks_old === 1} />
      <OwnLinksList links={links} />
      {isFirst ? (
        <Form action={learnSignOut.href()}>
          <button type="submit" className={styles.quiet}>
            换一名学员登录
          </button>
        </Form>
      ) : (
        <p>
          <a href={learnHome.href()}>返回首页</a>
        </p>
      )}
    </Screen>
  );
}
