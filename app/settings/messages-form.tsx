/** 短信: where text messages are posted, and a real one to try. */
import type { Settings, saveMessageSettings } from '#server/school/settings.contract.ts';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './sent.ts';
import styles from './settings.module.css';
import { SaveOrTry } from './tried.tsx';

const { Form, TextField } = formOf<typeof saveMessageSettings, 'mobile'>();

export function MessagesForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['messages'] }) {
  return (
    <Form idempotencyKey={idempotencyKey} refused={sent} values={set} className={styles.form} noValidate>
      <HiddenField name="seen" />
      <p className={styles.note}>
        请假、停课、催交等通知会发短信给学员，经由下面的地址发出；没有地址时不发短信。地址请向短信服务商或技术人员索取。
        {set.from_environment === 1 && '目前使用技术人员在服务器上设置的地址，在此填写后以这里的为准。'}
      </p>
      <TextField
        name="sms_webhook_url"
        label="短信接口地址"
        description="供技术人员：每条短信以 JSON（id、mobile、content）发往该地址，收到任何 2xx 应答即为送达"
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
      <SaveOrTry tried={sent?.tried} />
    </Form>
  );
}
