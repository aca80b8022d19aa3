/** Card to sign in: a button per identity provider, and the form for a number with a code or a password. */
import { Alert } from '@mantine/core';
import { Screen } from '../ui/screen.tsx';
import { IdentityButtons } from './identity-buttons.tsx';
import styles from './learn.learn.module.css';
import { learnSignIn, type SignInWay, signInWays } from './screens.ts';
import type { SignInCardData } from './sign-in-card.server.ts';
import { CodeForm, NumberForm, type SignInProps } from './sign-in-forms.tsx';

interface SignInCardProps extends SignInProps {
  card: SignInCardData;
  redirectTo: string;
  by: SignInWay;
  /** Fills the field in at first. */
  number?: string | undefined;
  /** The number to which a code was just sent, and the message about it. */
  sent?: { number: string; msg: string } | undefined;
  /** Why the sign-in at a provider failed. */
  message?: string | undefined;
}

const wayLabels: Record<SignInWay, string> = { code: '用短信验证码登录', password: '用密码登录' };

export function SignInCard({ card, by: chosen, number, sent, message, ...form }: SignInCardProps) {
  const { learners, sendsCodes, providers } = card;
  const by = sendsCodes ? chosen : 'password';
  const other = by === 'code' ? 'password' : 'code';
  const to = form.redirectTo as `/${string}`;
  return (
    <Screen className={styles.card}>
      <h1>学员登录</h1>
      {message && <Alert className={styles.told}>{message}</Alert>}
      {sent ? (
        <>
          {sent.msg && <p role="status">{sent.msg}</p>}
          <p>
            {sent.number}　<a href={learnSignIn.href({ redirectTo: to })}>换一个号码</a>
          </p>
          <CodeForm {...form} number={sent.number} />
        </>
      ) : (
        <>
          <IdentityButtons providers={providers} redirectTo={form.redirectTo} resume={form.resume} />
          <NumberForm {...form} number={number} ways={form.resume && sendsCodes ? signInWays : [by]} />
          {!sendsCodes && (
            <p className={styles.aside}>
              学校没有开通短信，请用密码{providers.length > 0 && '或上面的方式'}
              登录。初始密码由学校按班级印发，没有或忘记密码请联系学校。
            </p>
          )}
          {sendsCodes && !form.resume && (
            <p>
              <a href={learnSignIn.href({ redirectTo: to, by: other })}>{wayLabels[other]}</a>
            </p>
          )}
        </>
      )}
      {learners.length > 0 && (
        <section className={styles.demo}>
          <h2>演示学员</h2>
          <ul>
            {learners.map(({ nickname, number: known }) => (
              <li key={known}>
                {nickname}：<code>{known}</code>
              </li>
            ))}
          </ul>
          <p>演示学校不发短信，验证码写在服务器的日志中。</p>
        </section>
      )}
    </Screen>
  );
}
