import { Button } from '@mantine/core';
import { Form, Submit } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import type { Provider } from './api-answers.ts';
import styles from './learn.learn.module.css';
import { learnSignInBegin } from './screens.ts';
import type { SignInProps } from './sign-in-forms.tsx';

/**
 * A link for each identity provider, not a form, because CSP allows forms to lead only to this site. While a posted
 * form waits to be sent, the provider opens in a new tab.
 */
export function IdentityButtons({
  providers,
  redirectTo,
  resume,
}: { providers: readonly Provider[] } & Pick<SignInProps, 'redirectTo' | 'resume'>) {
  if (providers.length === 0) return null;
  const to = resume ? undefined : (redirectTo as `/${string}` | undefined);
  return (
    <div className={styles.form}>
      {providers.map(({ kind, name }) => (
        <Button
          component="a"
          key={kind}
          variant="default"
          data-block
          className={styles.provider}
          href={learnSignInBegin.href({ provider: kind, redirectTo: to })}
          {...(resume && { target: '_blank', rel: 'noopener' })}
        >
          {`${name}登录`}
        </Button>
      ))}
      {resume && (
        <Form action={resume.path}>
          <HiddenFields fields={resume.fields} />
          <p>在新窗口登录后回到本页，您之前提交的内容仍在：</p>
          <Submit variant="default" data-block>
            我已登录，继续提交
          </Submit>
        </Form>
      )}
      <p className={styles.or}>或用学号、手机号登录</p>
    </div>
  );
}
