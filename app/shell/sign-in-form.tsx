import { signIn } from '../account/screens.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { Refused } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './sign-in-form.module.css';

const { PasswordField, TextField } = fieldsOf<never, 'username' | 'password'>();

export interface SignInFormProps {
  refused?: Refused | undefined;
  /** Where to go on after signing in. */
  redirectTo?: string;
  /** The password is read as it is typed. */
  shown?: boolean;
  /** A form that was posted after the sign-in expired; it is offered again after signing in. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] } | undefined;
}

/** As hidden fields carry it along. */
export const resumeFields = ({ path, fields }: NonNullable<SignInFormProps['resume']>) =>
  [
    ['resume', path],
    ['resume_body', new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()],
  ] as const;

/** Works without client JS. */
export function SignInForm({ refused, redirectTo, shown, resume }: SignInFormProps) {
  // The name stays after a wrong password: that is typed anew.
  const hasName = refused?.typed?.some(([name, value]) => name === 'username' && value !== '') === true;
  return (
    <Form action={signIn.href({ shown })} refused={refused} className={styles.form}>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {resume && <HiddenFields fields={resumeFields(resume)} />}
      <TextField
        name="username"
        label="用户名"
        autoComplete="username"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus={!hasName}
      />
      <PasswordField
        name="password"
        label="密码"
        autoComplete="current-password"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus={hasName}
        // No browser keeps what is read there, nor sends it away to be spelled.
        {...(shown && { type: 'text', autoComplete: 'off', spellCheck: false })}
      />
      <Submit data-block>登录</Submit>
    </Form>
  );
}
