/** Tab 登录: number of wrong passwords, idle timeout, and the second factor. */
import { secondFactorRules } from '#server/platform/auth/rules.ts';
import type { Settings, saveSignInSettings } from '#server/settings/contract.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './form-result.ts';
import styles from './settings.posts.module.css';
import { secondFactorLabels } from './terms.ts';

const { Form, RadioField, TextField } = formOf<typeof saveSignInSettings>();

export function SignInForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['sign_in'] }) {
  return (
    <Form idempotencyKey={idempotencyKey} refused={sent} values={set} className={styles.form} noValidate>
      <HiddenField name="seen" />
      <TextField
        name="sign_in_tries"
        label="密码错误次数"
        description="同一用户名从同一处网络登录，10分钟内最多输错几次（3到50）；学员按每名学员计"
        inputMode="numeric"
        withAsterisk
      />
      <TextField
        name="sign_in_hours"
        label="闲置退出（小时）"
        description="多久没有使用后需要重新登录（1到720）"
        inputMode="numeric"
        withAsterisk
      />
      <RadioField
        name="second_factor"
        label="两步验证"
        description="登录时除密码外，还要输入手机验证器上的6位数字。被要求而尚未开启的人，下次操作时须先开启。"
        choices={secondFactorRules.map((rule) => [rule, secondFactorLabels[rule]])}
      />
      <Submit>保存</Submit>
    </Form>
  );
}
