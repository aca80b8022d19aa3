/** The sign-in page: a button per identity provider, and the form for the password. */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SignInMethods } from '#server/identity/sign-in.contract.ts';
import { learnHome } from '../learn/screens.ts';
import { SchoolLogo } from '../shell/school-logo.tsx';
import { SignInForm, type SignInFormProps } from '../shell/sign-in-form.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import styles from './login.learn.module.css';
import { signIn, signInBegin } from './screens.ts';
import type { SignInPageData } from './sign-in-page.server.ts';

interface SignInPageProps extends SignInFormProps {
  page: SignInPageData;
  redirectTo: string;
  /** Message at the top, such as the reason why the sign-in at a provider failed. */
  message?: string | undefined;
  children?: ReactNode;
}

export function SignInPage({ page, redirectTo, message, refused, shown, resume, children }: SignInPageProps) {
  const { face, ways, accounts, hasLearners } = page;
  const form = <SignInForm refused={refused} redirectTo={redirectTo} shown={shown ?? false} resume={resume} />;
  return (
    <Screen className={styles.page}>
      <h1 className={styles.school}>
        <SchoolLogo face={face} />
      </h1>
      <p className={styles.lead}>讲师、助教与教务登录</p>
      {message && <Alert className={styles.told}>{message}</Alert>}
      {face?.awaits_setup === 1 && (
        <Alert>学校还没有设置：请打开服务器启动时给出的设置地址，建立第一位管理员后再登录</Alert>
      )}
      <Providers ways={ways} redirectTo={redirectTo} resume={resume} />
      {ways.passwords === 'all' ? (
        form
      ) : (
        <details className={styles.emergency} open={refused !== undefined}>
          <summary>应急账号登录</summary>
          {form}
        </details>
      )}
      <p className={styles.help}>
        {/* The link is hidden while a posted form waits to be sent after sign-in, because following it would lose the form. */}
        {!resume && ways.passwords === 'all' && (
          <a href={signIn.href({ redirectTo: redirectTo as `/${string}`, shown: !shown })}>
            {shown ? '隐藏密码' : '显示密码'}
          </a>
        )}
        <span>{ways.passwords === 'all' ? '忘记密码请联系本校管理员重置' : '不能登录时请联系本校管理员'}</span>
      </p>
      {children}
      {accounts.length > 0 && (
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
              {accounts.map(({ username, password, note }) => (
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
          {hasLearners && (
            <p>
              <a href={learnHome.href()}>学员端演示</a>
            </p>
          )}
        </section>
      )}
    </Screen>
  );
}

/**
 * A link for each identity provider, not a form, because CSP allows forms to lead only to this site. While a posted
 * form waits to be sent, the provider opens in a new tab.
 */
function Providers({
  ways,
  redirectTo,
  resume,
}: { ways: SignInMethods } & Pick<SignInPageProps, 'redirectTo' | 'resume'>) {
  if (ways.providers.length === 0) return null;
  return (
    <div className={styles.providers}>
      {ways.providers.map(({ kind, name }) => (
        <Button
          component="a"
          key={kind}
          variant="default"
          className={styles.provider}
          href={signInBegin.href({ provider: kind, ...(!resume && { redirectTo: redirectTo as `/${string}` }) })}
          {...(resume && { target: '_blank', rel: 'noopener' })}
        >
          {`${name}登录`}
        </Button>
      ))}
      {resume && (
        <Form action={resume.path}>
          <HiddenFields fields={resume.fields} />
          <p>在新窗口登录后回到本页，您之前提交的内容仍在：</p>
          <Submit variant="default">我已登录，继续提交</Submit>
        </Form>
      )}
      {ways.passwords === 'all' && <p className={styles.or}>或使用密码</p>}
    </div>
  );
}
