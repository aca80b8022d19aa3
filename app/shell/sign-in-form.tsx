import { Button } from '@mantine/core';
import { signIn } from '../account/screens.ts';
import { controlClass } from '../ui/control.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './sign-in-form.module.css';

interface SignInFormProps {
  username?: string;
  errors?: Record<string, string[]>;
  /** Where to go on after signing in. */
  redirectTo?: string;
  /** A form that was posted after the sign-in expired; it is offered again after signing in. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] };
}

/** Works without client JS. Native controls: every hydrated page carries it in its error page. */
export function SignInForm({ username, errors, redirectTo, resume }: SignInFormProps) {
  const [usernameError, passwordError] = [errors?.username?.[0], errors?.password?.[0]];
  return (
    <form method="post" action={signIn.path} className={styles.form}>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {resume && (
        <HiddenFields
          fields={[
            ['resume', resume.path],
            ['resume_body', new URLSearchParams(resume.fields.map(([name, value]) => [name, value])).toString()],
          ]}
        />
      )}
      <label htmlFor="username">用户名</label>
      <input
        className={controlClass}
        name="username"
        id="username"
        defaultValue={username}
        aria-invalid={usernameError ? true : undefined}
        aria-describedby={usernameError ? 'username-error' : undefined}
        autoComplete="username"
        autoCapitalize="none"
        required
        // biome-ignore lint/a11y/noAutofocus: signing in is all that there is to do here.
        autoFocus
      />
      {usernameError && <p id="username-error">{usernameError}</p>}
      <label htmlFor="password">密码</label>
      <input
        className={controlClass}
        name="password"
        id="password"
        type="password"
        aria-invalid={passwordError ? true : undefined}
        aria-describedby={passwordError ? 'password-error' : undefined}
        autoComplete="current-password"
        required
      />
      {passwordError && <p id="password-error">{passwordError}</p>}
      <Button type="submit" fullWidth>
        登录
      </Button>
    </form>
  );
}
