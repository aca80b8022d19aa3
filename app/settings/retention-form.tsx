/** Tab 保留期限: retention periods in days. */

import { retentionNumbers, type Settings, type saveRetentionSettings } from '#server/settings/contract.ts';
import { policyLimits } from '#server/settings/rules.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './form-result.ts';
import styles from './settings.posts.module.css';

const labels: Record<(typeof retentionNumbers)[number], string> = {
  keep_sign_ins: '登录记录（天）',
  keep_messages: '短信记录（天）',
  keep_imports: '导入的文件（天）',
  keep_uploads: '未完成的上传（天）',
  keep_exports: '导出的文件（天）',
  keep_drafts: '未提交的答案与撤销记录（天）',
  keep_previews: '未完成的题目导入（天）',
};

const { Form, TextField } = formOf<typeof saveRetentionSettings>();

export function RetentionForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['keeping'] }) {
  return (
    <Form idempotencyKey={idempotencyKey} refused={sent} values={set} className={styles.form} noValidate>
      <HiddenField name="seen" />
      <p className={styles.note}>
        超过期限的每天自动清除。作业、考试、考勤和操作记录不受影响。学员要求删除个人信息时，请在学员页面“注销”。
      </p>
      {retentionNumbers.map((name) => (
        <TextField
          key={name}
          name={name}
          label={labels[name]}
          description={`${policyLimits[name].least}到${policyLimits[name].most}天`}
          inputMode="numeric"
          withAsterisk
        />
      ))}
      <Submit>保存</Submit>
    </Form>
  );
}
