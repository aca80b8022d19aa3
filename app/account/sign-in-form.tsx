import { Button, TextInput } from '@mantine/core';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { signIn } from './screens.ts';
import styles from './sign-in-form.module.css';

interface SignInFormProps {
  username?: string;
  errors?: Record<string, string[]>;
  /** Where to go on after signing in. */
  redirectTo?: string;
  /** A form that was posted after the sign-in expired; it is offered again after signing in. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] };
}

/** Works without client JS; every hydrated page carries it in its error page. */
export function SignInForm({ username, errors, redirectTo, resume }: SignInFormProps) {
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
      <TextInput
        id="username"
        name="username"
        label="用户名"
        defaultValue={username}
        error={errors?.username?.[0]}
        autoComplete="username"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus
      />
      <TextInput
        id="password"
        name="password"
        type="password"
        label="密码"
        error={errors?.password?.[0]}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <Button type="submit" fullWidth>
        登录
      </Button>
    </form>
  );
}
