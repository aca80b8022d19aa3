/** Tab 直播: the provider of live rooms, with a button that tests it. */
import type { Settings, saveLiveSettings } from '#server/settings/contract.ts';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './form-result.ts';
import { SaveOrTest } from './save-or-test.tsx';
import styles from './settings.posts.module.css';

const { Form, PasswordField, TextField } = formOf<typeof saveLiveSettings, 'bbb_secret_password'>();

export function LiveForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['live'] }) {
  const { live_url, live_playback_url, bbb_url, seen } = set;
  return (
    <Form
      idempotencyKey={idempotencyKey}
      refused={sent}
      values={{ live_url, live_playback_url, bbb_url, seen }}
      className={styles.form}
      noValidate
    >
      <HiddenField name="seen" />
      <p className={styles.note}>
        讲师和学员经由这里的服务进入直播间。请向直播服务商索取直播间地址，或填写技术人员安装的 BigBlueButton
        服务器；两者都填时使用直播间地址。
        {set.from_environment === 1 && '目前使用技术人员在服务器上的设置，在此填写后以这里的为准。'}
      </p>
      <TextField
        name="live_url"
        label="直播间地址"
        description="大括号中的词在进入时自动填入，可用 {type}、{id}、{group_id}、{title}、{user_id}、{name}、{identity}"
        inputMode="url"
        autoComplete="off"
      />
      <TextField
        name="live_playback_url"
        label="回放地址"
        description="同样的写法；没有时不提供回放"
        inputMode="url"
        autoComplete="off"
      />
      <TextField name="bbb_url" label="BigBlueButton 服务器地址" inputMode="url" autoComplete="off" />
      <PasswordField
        name="bbb_secret_password"
        label="BigBlueButton 密钥"
        description={
          set.has_bbb_secret === 1
            ? '已设置；留空则不变'
            : '由技术人员提供（在该服务器上执行 bbb-conf --secret 可以看到）'
        }
        autoComplete="off"
      />
      <SaveOrTest tried={sent?.tried} />
    </Form>
  );
}
