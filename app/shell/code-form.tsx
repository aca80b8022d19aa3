import type { confirmSignIn } from '#server/account/second-factor.contract.ts';
import { signInCode } from '../account/screens.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './sign-in-form.module.css';
import { resumeFields } from './sign-in-form.tsx';

const { Form, TextField } = formOf<typeof confirmSignIn>();

export interface CodeFormProps {
  refused?: RefusedForm | undefined;
  redirectTo: string;
  /** A form that was posted after the session expired. It is offered again after the code was accepted. */
  resume?: { path: string; fields: readonly (readonly [string, string])[] } | undefined;
}

/** Form for the code of the second factor. Works without client JS. */
export function CodeForm({ refused, redirectTo, resume }: CodeFormProps) {
  return (
    <Form action={signInCode.href()} refused={refused} className={styles.form} noValidate>
      <input type="hidden" name="redirectTo" value={redirectTo} />
      {resume && <HiddenFields fields={resumeFields(resume)} />}
      <TextField
        name="code"
        label="验证码"
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        required
        withAsterisk={false}
        autoFocus
      />
      <Submit data-block>继续</Submit>
    </Form>
  );
}
