import { signIn } from '../account/screens.ts';
import { controlClass } from '../ui/control.ts';
import { Form, type Refused, Submit, useField } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './sign-in-form.module.css';

interface SignInFormProps {
  refused?: Refused | undefined;
  /** Where to go on after signing in. */
  redirectTo?: string;
  /** A form that was posted after the sign-in expired; it is offered again after signing in. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] } | undefined;
}

/** Works without client JS. */
export function SignInForm({ refused, redirectTo, resume }: SignInFormProps) {
  return (
    <Form action={signIn.href()} refused={refused} className={styles.form}>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {resume && (
        <HiddenFields
          fields={[
            ['resume', resume.path],
            ['resume_body', new URLSearchParams(resume.fields.map(([name, value]) => [name, value])).toString()],
          ]}
        />
      )}
      <NativeField name="username" label="用户名" autoComplete="username" />
      <NativeField name="password" label="密码" autoComplete="current-password" />
      <Submit fullWidth>登录</Submit>
    </Form>
  );
}

/** Native, for every page with a script carries this form in its error page: the shared fields would be 10 KB more. */
function NativeField({ name, label, autoComplete }: { name: string; label: string; autoComplete: string }) {
  const { value, error } = useField(name);
  const isFirst = name === 'username';
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        className={controlClass}
        name={name}
        id={name}
        type={isFirst ? 'text' : 'password'}
        defaultValue={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${name}-error`}
        autoComplete={autoComplete}
        autoCapitalize="none"
        required
        // biome-ignore lint/a11y/noAutofocus: signing in is all that there is to do here.
        autoFocus={isFirst}
      />
      {error && <p id={`${name}-error`}>{error}</p>}
    </>
  );
}
