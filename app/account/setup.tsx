/** Sets up an empty school: its name and time zone, and its first administrator, who is signed in at once. */

import { redirect } from 'react-router';
import { accountMessages, personNameLimit } from '#server/account/rules.ts';
import { setupPath, type WrittenSetup } from '#server/account/setup.contract.ts';
import type { SignedIn } from '#server/account/sign-in.contract.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { askPath } from '../api/client.server.ts';
import { answerOrErrorPage } from '../api/outcome.server.ts';
import { textOf } from '../lib/form-data.ts';
import { timezones } from '../settings/terms.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { flashMessage, readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import { administration } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import { titleMeta } from '../shell/title.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/setup';
import styles from './login.learn.module.css';
import { setup } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('设置学校');

export async function loader({ url }: Route.LoaderArgs) {
  answerOrErrorPage(await askPath(setupPath(setup.at(url).code)));
  return null;
}

const names = ['school_name', 'timezone', 'real_name', 'username', 'password', 'password_confirmation'] as const;

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as WrittenSetup;
  const headers = clientAddress(request);
  const outcome = await askPath<SignedIn>(setupPath(setup.at(url).code), { method: 'POST', body, headers });
  if (!outcome.ok) return refusedForm(outcome, form);
  const session = getSession(context);
  session.set('token', outcome.data.token);
  session.set('identity', outcome.data.identity);
  session.unset('left');
  flashMessage(context, 'success', outcome.msg);
  throw redirect(administration.href());
}

const { PasswordField, SelectField, TextField } = fieldsOf<never, (typeof names)[number]>();

export default function Setup({ actionData }: Route.ComponentProps) {
  return (
    <Screen className={styles.page}>
      <h1 className={styles.school}>设置学校</h1>
      <p className={styles.lead}>
        填写学校和第一位教务，然后从空白开始。您将以该用户名登录，其他人员以后在页面上添加。
      </p>
      <Form<string> refused={actionData} values={{ timezone: 'Asia/Shanghai' }} className={recordFormClass} noValidate>
        <TextField name="school_name" label="学校名称" withAsterisk limit={schoolNameLimit} />
        <SelectField name="timezone" label="时区" withAsterisk choices={timezones} />
        <TextField name="real_name" label="教务姓名" withAsterisk limit={personNameLimit} autoComplete="name" />
        <TextField name="username" label="用户名" withAsterisk autoComplete="username" autoCapitalize="none" />
        <PasswordField
          name="password"
          label="密码"
          withAsterisk
          autoComplete="new-password"
          description={accountMessages.passwordRule}
        />
        <PasswordField name="password_confirmation" label="确认密码" withAsterisk autoComplete="new-password" />
        <Submit data-block>从空白开始</Submit>
      </Form>
    </Screen>
  );
}
