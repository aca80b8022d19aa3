/** 账号安全: the password. What is typed here is never shown again. */
import { buttonClass } from '../ui/button.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import styles from './account.module.css';
import type { AccountRefusal } from './account-action.server.ts';

const fields = [
  { name: 'old_password', label: '旧密码', autoComplete: 'current-password', hint: undefined },
  {
    name: 'new_password',
    label: '新密码',
    autoComplete: 'new-password',
    hint: '密码为6到18位，且至少包含数字、小写字母、大写字母中的两种',
  },
  { name: 'new_password_confirmation', label: '确认密码', autoComplete: 'new-password', hint: undefined },
] as const;

export function PasswordForm({ keyOf, refused }: { keyOf: string; refused: AccountRefusal | undefined }) {
  return (
    <form method="post" noValidate className={styles.form}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused.msg}
        </p>
      )}
      <input type="hidden" name="idempotency_key" value={keyOf} />
      {fields.map(({ name, label, autoComplete, hint }) => {
        const error = refused?.errors[name]?.[0];
        return (
          <Field key={name} label={label} id={name} error={error} hint={hint} required>
            <input
              type="password"
              id={name}
              name={name}
              autoComplete={autoComplete}
              className={controlClass}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${name}-error` : undefined}
            />
          </Field>
        );
      })}
      <p className={styles.note}>修改后，您在其他设备上的登录会退出，当前设备保持登录。</p>
      <button type="submit" className={buttonClass('primary')}>
        修改密码
      </button>
    </form>
  );
}
