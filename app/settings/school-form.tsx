/** Tab 学校: data that every screen shows, and the modules that are switched on. */

import { formatBytes, pictureBytes } from '#server/platform/files/rules.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { type Settings, type saveSchoolSettings, switches } from '#server/settings/contract.ts';
import { schoolLogo } from '../shell/screens.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form as PlainForm, Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { FormProps } from './form-result.ts';
import styles from './settings.posts.module.css';
import { switchLabels, timezones } from './terms.ts';

const { ChecksField, Form, SelectField, TextField } = formOf<typeof saveSchoolSettings>();

export function SchoolForm({ set, sent, idempotencyKey }: FormProps & { set: Settings['school'] }) {
  const { school_name, timezone, switches: on, has_learn_page, seen } = set;
  const isLearnPageFixed = on.includes('learn_page') !== (has_learn_page === 1);
  const named = timezones.some(([name]) => name === timezone);
  return (
    <Form
      idempotencyKey={idempotencyKey}
      refused={sent?.of === 'settings' ? sent : undefined}
      values={{ school_name, timezone, switches: on, seen }}
      className={styles.form}
      noValidate
    >
      <HiddenField name="seen" />
      <TextField
        name="school_name"
        label="名称"
        description="显示在页头和登录页，留空为“教学后台”"
        limit={schoolNameLimit}
      />
      <SelectField
        name="timezone"
        label="时区"
        description="修改后，所有页面和导出文件中的日期与时间按新时区显示"
        choices={named ? timezones : [[timezone, timezone], ...timezones]}
      />
      <ChecksField
        name="switches"
        label="功能开关"
        description="关闭后相应的入口不再显示，已有的数据会保留"
        choices={switches.map((name) => [name, switchLabels[name]])}
      />
      {isLearnPageFixed && (
        <p>学员端由服务器的 LEARN_TOKEN {has_learn_page === 1 ? '开启' : '关闭'}，上面的开关不起作用。</p>
      )}
      <Submit>保存</Submit>
    </Form>
  );
}

const { FileField } = fieldsOf<never, 'logo_file'>();

export function LogoForm({ logo, sent }: FormProps & { logo: string }) {
  return (
    <PlainForm
      refused={sent?.of === 'logo' ? sent : undefined}
      encType="multipart/form-data"
      className={styles.form}
      noValidate
    >
      {logo && <img src={`${schoolLogo.href()}?${logo}`} alt="当前校徽" height={64} />}
      <FileField
        name="logo_file"
        becomes="logo"
        label="校徽"
        description={`PNG 或 JPG 图片，不超过 ${formatBytes(pictureBytes)}，显示在页头和登录页`}
        accept=".png,.jpg,.jpeg"
      />
      <div className={styles.buttons}>
        <Submit>上传校徽</Submit>
        {logo && (
          <Submit intent="remove" variant="default">
            恢复默认
          </Submit>
        )}
      </div>
    </PlainForm>
  );
}
