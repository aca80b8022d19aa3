/** Tab 个人信息: avatar, name, introduction. The mobile number is read-only here; only administrators change it. */
import type { Profile, updateProfile } from '#server/account/contract.ts';
import { avatarExtensions, introductionLimit, personNameLimit } from '#server/account/rules.ts';
import { formatBytes, pictureBytes } from '#server/platform/files/rules.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { recordFormClass } from '../ui/record-form.ts';
import styles from './account.posts.module.css';

interface ProfileFormProps {
  profile: Profile;
  /** Lets the server ignore a second submit of the same form. */
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

const { AreaField, FileField, Form, TextField } = formOf<typeof updateProfile, 'avatar_file'>();

export function ProfileForm({ profile, idempotencyKey, refused }: ProfileFormProps) {
  const avatar = new Map(refused?.typed).get('avatar') ?? profile.avatar;
  const { real_name, introduction } = profile;
  return (
    <Form
      idempotencyKey={idempotencyKey}
      refused={refused}
      values={{ real_name, introduction }}
      draft="profile"
      encType="multipart/form-data"
      noValidate
      className={recordFormClass}
    >
      <input type="hidden" name="avatar" value={avatar} />
      <div className={styles.avatar}>
        {avatar ? (
          <img src={avatar} alt="当前头像" width={96} height={96} />
        ) : (
          <span className={styles.noAvatar}>暂无头像</span>
        )}
        <FileField
          name="avatar_file"
          id="avatar-file"
          becomes="avatar"
          label="头像"
          description={`支持 ${avatarExtensions.join('、')} 格式，不超过 ${formatBytes(pictureBytes)}`}
          withAsterisk
          accept={avatarExtensions.map((extension) => `.${extension}`).join(',')}
        />
      </div>
      <TextField name="real_name" label="姓名" withAsterisk autoComplete="name" maxLength={personNameLimit} />
      <AreaField name="introduction" label="简介" withAsterisk limit={introductionLimit} rows={5} />
      <dl className={styles.fact}>
        <dt>手机号</dt>
        <dd>{profile.mobile || '未登记'}</dd>
      </dl>
      <Submit>保存</Submit>
    </Form>
  );
}
