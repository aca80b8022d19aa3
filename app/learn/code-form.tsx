/** Forms for sign-in by student number and a code from a text message. */

import type { SignInFormProps } from '../shell/sign-in-form.tsx';
import { resumeFields } from '../shell/sign-in-form.tsx';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './learn.learn.module.css';
import { learnSignIn } from './screens.ts';

const { TextField } = fieldsOf<never, 'number' | 'code'>();

interface SignInProps {
  refused?: RefusedForm | undefined;
  redirectTo?: string | undefined;
  /** A form that was posted after the session had expired. It is posted again after sign-in. */
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

export function NumberForm(props: SignInProps) {
  return (
    <Form action={learnSignIn.href()} refused={props.refused} className={styles.form} noValidate>
      <Kept {...props} />
      <TextField
        name="number"
        label="学号或手机号"
        autoComplete="username"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus
      />
      <Submit intent="send" data-block>
        获取验证码
      </Submit>
    </Form>
  );
}

/** Form that takes the code. Offers to send another one. */
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
