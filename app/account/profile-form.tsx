/** 个人信息: avatar, name, introduction; the mobile number is the school's to change. */
import type { Profile } from '#server/account/contract.ts';
import { avatarExtensions, introductionMost, nameMost } from '#server/account/rules.ts';
import { buttonClass } from '../ui/button.tsx';
import { Draft } from '../ui/draft.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import styles from './account.module.css';
import type { AccountRefusal } from './account-action.server.ts';

interface ProfileFormProps {
  profile: Profile;
  /** Of the form: sent twice, it is one. */
  keyOf: string;
  refused: AccountRefusal | undefined;
}

export function ProfileForm({ profile, keyOf, refused }: ProfileFormProps) {
  const value = { ...profile, ...refused?.typed };
  const errorOf = (name: string) => refused?.errors[name]?.[0];
  const described = (name: string) => ({
    'aria-invalid': errorOf(name) ? true : undefined,
    'aria-describedby': errorOf(name) ? `${name}-error` : undefined,
  });
  return (
    <form method="post" encType="multipart/form-data" noValidate className={styles.form}>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused.msg}
        </p>
      )}
      <input type="hidden" name="idempotency_key" value={refused?.key ?? keyOf} />
      <Draft name="profile" />
      <input type="hidden" name="avatar" value={value.avatar} />
      <div className={styles.avatar}>
        {value.avatar ? (
          <img src={value.avatar} alt="当前头像" width={96} height={96} />
        ) : (
          <span className={styles.noAvatar}>暂无头像</span>
        )}
        <Field
          label="头像"
          id="avatar-file"
          error={errorOf('avatar')}
          hint="支持 gif、jpeg、jpg、png 格式，不超过 20 MB"
          required
        >
          <input
            type="file"
            id="avatar-file"
            name="avatar_file"
            accept={avatarExtensions.map((extension) => `.${extension}`).join(',')}
            aria-invalid={errorOf('avatar') ? true : undefined}
            aria-describedby={errorOf('avatar') ? 'avatar-file-error' : undefined}
          />
        </Field>
      </div>
      <Field label="姓名" id="real_name" error={errorOf('real_name')} required>
        <input
          id="real_name"
          name="real_name"
          autoComplete="name"
          maxLength={nameMost}
          defaultValue={value.real_name}
          className={controlClass}
          {...described('real_name')}
        />
      </Field>
      <Field
        label="简介"
        id="introduction"
        error={errorOf('introduction')}
        hint={`不超过${introductionMost}个字`}
        required
      >
        <textarea
          id="introduction"
          name="introduction"
          rows={5}
          defaultValue={value.introduction}
          className={controlClass}
          {...described('introduction')}
        />
      </Field>
      <dl className={styles.fact}>
        <dt>手机号</dt>
        <dd>{profile.mobile || '未登记'}</dd>
      </dl>
      <button type="submit" className={buttonClass('primary')}>
        保存
      </button>
    </form>
  );
}
