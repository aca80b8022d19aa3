import { data, redirect } from 'react-router';
import { safeRedirect } from 'remix-utils/safe-redirect';
import { loginPath, type SignedIn } from '#server/auth/contract.ts';
import { askPath, demoAccounts } from '../api.server.ts';
import { clientAddress } from '../shell/client-address.server.ts';
import { postedAgain } from '../shell/protection.server.ts';
import { getSession } from '../shell/session.server.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/login';
import styles from './login.module.css';
import { SignInForm } from './sign-in-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: '登录 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const redirectTo = safeRedirect(url.searchParams.get('redirectTo'), '/');
  const arrives = !postedAgain(context) && url.searchParams.size === 0;
  if (arrives && getSession(context).get('token')) throw redirect('/');
  return { redirectTo, accounts: await demoAccounts() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const resume = form.has('resume')
    ? { path: safeRedirect(text('resume'), '/'), fields: [...new URLSearchParams(text('resume_body'))] }
    : undefined;
  const outcome = await askPath<SignedIn>(loginPath, {
    method: 'POST',
    body: { username: text('username'), password: text('password') },
    headers: clientAddress(request),
  });
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    return data({ msg, errors, username: text('username'), resume, signedIn: false }, { status });
  }
  const session = getSession(context);
  session.set('token', outcome.data.token);
  session.set('identity', outcome.data.identity);
  if (resume) return { msg: '', errors: undefined, username: '', resume, signedIn: true };
  throw redirect(safeRedirect(text('redirectTo'), '/'));
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.signedIn && actionData.resume) return <Resume {...actionData.resume} />;
  return (
    <main className={styles.page}>
      <h1>教学后台</h1>
      <p className={styles.lead}>讲师与助教登录</p>
      {actionData && (
        <p className={styles.error} role="alert">
          {actionData.msg}
        </p>
      )}
      <SignInForm
        username={actionData?.username}
        errors={actionData?.errors}
        redirectTo={loaderData.redirectTo}
        resume={actionData?.resume}
      />
      {loaderData.accounts.length > 0 && (
        <section className={styles.demo}>
          <h2>演示账号</h2>
          <table>
            <thead>
              <tr>
                <th scope="col">身份</th>
                <th scope="col">用户名</th>
                <th scope="col">密码</th>
              </tr>
            </thead>
            <tbody>
              {loaderData.accounts.map(({ username, password, note }) => (
                <tr key={username}>
                  <td>{note}</td>
                  <td>
                    <code>{username}</code>
                  </td>
                  <td>
                    <code>{password}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </main>
  );
}

/** What was posted when the sign-in had expired: one press sends it as it was. */
function Resume({ path, fields }: { path: string; fields: [string, string][] }) {
  return (
    <main className={styles.page}>
      <h1>已重新登录</h1>
      <p>您之前提交的内容已保留，请继续提交。</p>
      <form method="post" action={path} className={styles.resume}>
        <HiddenFields fields={fields} />
        {/* biome-ignore lint/a11y/noAutofocus: the one thing to do on this page. */}
        <button type="submit" autoFocus>
          继续提交
        </button>
        <a href={path}>放弃并返回</a>
      </form>
    </main>
  );
}
