/** Tab 账号安全: changes the password. Typed passwords are never shown again. */
import { Alert } from '@mantine/core';
import type { updatePassword } from '#server/account/contract.ts';
import { accountMessages } from '#server/account/rules.ts';
import { accessMessages } from '#server/school/rules.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { recordFormClass } from '../ui/record-form.ts';
import { usePerson } from '../ui/use-school.ts';
import styles from './account.posts.module.css';

const { Form, PasswordField } = formOf<typeof updatePassword>();

const fields = [
  { name: 'old_password', label: '旧密码', autoComplete: 'current-password', hint: undefined },
  {
    name: 'new_password',
    label: '新密码',
    autoComplete: 'new-password',
    hint: accountMessages.passwordRule,
  },
  { name: 'new_password_confirmation', label: '确认密码', autoComplete: 'new-password', hint: undefined },
] as const;

export function PasswordForm({
  idempotencyKey,
  refused,
}: {
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}) {
  const isFirst = usePerson()?.must_change_password === 1;
  return (
    <Form idempotencyKey={idempotencyKey} refused={refused} noValidate className={recordFormClass}>
      {isFirst && <Alert>{accessMessages.firstPassword}，然后才能使用其他功能。</Alert>}
      {(isFirst ? fields.slice(1) : fields).map(({ name, label, autoComplete, hint }) => (
        <PasswordField
          key={name}
          name={name}
          label={label}
          withAsterisk
          autoComplete={autoComplete}
          description={hint}
        />
      ))}
      <p className={styles.note}>修改后，您在其他设备上的登录会退出，当前设备保持登录。</p>
      <Submit>修改密码</Submit>
    </Form>
  );
}
