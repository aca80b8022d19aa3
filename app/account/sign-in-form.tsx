import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Input.css';
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

/** Posts to /login; works without client JS. */
export function SignInForm({ username, errors, redirectTo, resume }: SignInFormProps) {
  return (
    <form method="post" action="/login" className={styles.form}>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {resume && (
        <HiddenFields
          fields={[
            ['resume', resume.path],
            ['resume_body', new URLSearchParams(resume.fields.map(([name, value]) => [name, value])).toString()],
          ]}
        />
      )}
      <TextInput
        label="用户名"
        name="username"
        id="username"
        defaultValue={username}
        error={errors?.username?.[0]}
        autoComplete="username"
        autoCapitalize="none"
        required
        autoFocus
        withAsterisk={false}
      />
      <TextInput
        label="密码"
        name="password"
        id="password"
        type="password"
        error={errors?.password?.[0]}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <Button type="submit" fullWidth size="md">
        登录
      </Button>
    </form>
  );
}
