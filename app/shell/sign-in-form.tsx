import { signIn } from '../account/screens.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './sign-in-form.module.css';

const { PasswordField, TextField } = fieldsOf<never, 'username' | 'password'>();

export interface SignInFormProps {
  refused?: RefusedForm | undefined;
  /** Address to go to after sign-in. */
  redirectTo?: string;
  shown?: boolean;
  /** A form that was posted after the session expired. It is offered again after sign-in. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] } | undefined;
}

/** Hidden fields that carry the posted form along. */
export const resumeFields = ({ path, fields }: NonNullable<SignInFormProps['resume']>) =>
  [
    ['resume', path],
    ['resume_body', new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()],
  ] as const;

/** Form for user name and password. Works without client JS. */
export function SignInForm({ refused, redirectTo, shown, resume }: SignInFormProps) {
  // After a wrong password the user name is kept, so the password field gets the focus.
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
        // Keeps a visible password out of the browser's autocomplete history and its spell checker.
        {...(shown && { type: 'text', autoComplete: 'off', spellCheck: false })}
      />
      <Submit data-block>登录</Submit>
    </Form>
  );
}
