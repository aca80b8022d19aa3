/** Tab 短信: the webhook for text messages, with a button that sends a test message. */
import type { Settings, saveMessageSettings } from '#server/settings/contract.ts';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './form-result.ts';
import { SaveOrTest } from './save-or-test.tsx';
import styles from './settings.posts.module.css';

const { Form, TextField } = formOf<typeof saveMessageSettings, 'mobile'>();

export function MessagesForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['messages'] }) {
  return (
    <Form idempotencyKey={idempotencyKey} refused={sent} values={set} className={styles.form} noValidate>
      <HiddenField name="seen" />
      <p className={styles.note}>
        学员登录的验证码和请假、停课、催交等通知以短信发给学员，经由下面的地址发出，开头带“【学校名称】”；没有地址时不发短信，学员也不能用验证码登录。地址请向短信服务商或技术人员索取。
        {set.from_environment === 1 && '目前使用技术人员在服务器上设置的地址，在此填写后以这里的为准。'}
      </p>
      <TextField
        name="sms_webhook_url"
        label="短信接口地址"
        description="由短信服务商或技术人员按部署文档提供"
        inputMode="url"
        autoComplete="off"
      />
      <TextField
        name="mobile"
        label="试发到手机号"
        description="试一试时填写，会发出一条真实的短信"
        inputMode="numeric"
        autoComplete="off"
      />
      <SaveOrTest tried={sent?.tried} />
    </Form>
  );
}
