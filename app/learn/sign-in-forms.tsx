/** Forms of the sign-in: by number with a texted code or a password, and the learner's own password. */

import { accountMessages } from '#server/account/rules.ts';
import type { SignInFormProps } from '../shell/sign-in-form.tsx';
import { resumeFields } from '../shell/sign-in-form.tsx';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './learn.learn.module.css';
import { learnPassword, learnSignIn, type SignInWay } from './screens.ts';

const { PasswordField, TextField } = fieldsOf<
  never,
  'number' | 'code' | 'password' | 'old_password' | 'new_password' | 'new_password_confirmation'
>();

export interface SignInProps {
  refused?: RefusedForm | undefined;
  redirectTo?: string | undefined;
  /** A form that was posted after the session had expired. */
  resume?: SignInFormProps['resume'];
}

function Kept({ redirectTo, resume }: SignInProps) {
  return (
    <>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {resume && <HiddenFields fields={resumeFields(resume)} />}
    </>
  );
}

/** `number`: fills the field in at first. */
export function NumberForm({
  ways,
  number = '',
  ...props
}: SignInProps & { ways: readonly SignInWay[]; number?: string | undefined }) {
  const byPassword = ways.includes('password');
  // After a wrong password the number stays, so the password gets the focus.
  const typed = props.refused?.typed ?? [['number', number]];
  const hasNumber = typed.some(([name, value]) => name === 'number' && value !== '');
  return (
    <Form action={learnSignIn.href()} refused={props.refused} values={{ number }} className={styles.form} noValidate>
      <Kept {...props} />
      <TextField
        name="number"
        label="学号或手机号"
        autoComplete="username"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus={!byPassword || !hasNumber}
      />
      {byPassword && (
        <>
          <PasswordField
            name="password"
            label="密码"
            autoComplete="current-password"
            autoCapitalize="none"
            withAsterisk={false}
            autoFocus={hasNumber}
          />
          <Submit intent="password" data-block>
            登录
          </Submit>
        </>
      )}
      {ways.includes('code') && (
        <Submit intent="send" {...(byPassword && { variant: 'default' })} data-block>
          获取验证码
        </Submit>
      )}
    </Form>
  );
}

/** Form for the code from a text message. It can also request another code. */
export function CodeForm({ number, ...props }: SignInProps & { number: string }) {
  return (
    <Form action={learnSignIn.href()} refused={props.refused} className={styles.form} noValidate>
      <Kept {...props} />
      <input type="hidden" name="number" value={number} />
      <TextField
        name="code"
        label="验证码"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        autoFocus
      />
      <Submit intent="enter" data-block>
        登录
      </Submit>
      <Submit intent="send" variant="default" data-block>
        重新获取验证码
      </Submit>
    </Form>
  );
}

/**
 * Form in which the learner chooses a password. `asksOld` is true if the learner must type the old password too: one
 * exists, and it is not a first password that was just used to sign in.
 */
export function OwnPasswordForm({ asksOld, ...props }: SignInProps & { asksOld: boolean }) {
  return (
    <Form action={learnPassword.href()} refused={props.refused} className={styles.form} noValidate>
      <Kept {...props} />
      {asksOld && (
        <PasswordField
          name="old_password"
          label="旧密码"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
        />
      )}
      <PasswordField
        name="new_password"
        label="新密码"
        description={accountMessages.passwordRule}
        autoComplete="new-password"
        required
        withAsterisk={false}
        autoFocus={!asksOld}
      />
      <PasswordField
        name="new_password_confirmation"
        label="再输入一次"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <Submit data-block>保存</Submit>
    </Form>
  );
}
