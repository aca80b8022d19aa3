import { ownerOf } from '../lib/form-owner.ts';
import { Form, Submit } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import styles from './login.learn.module.css';

interface ResumeProps {
  path: string;
  fields: readonly (readonly [string, string])[];
}

/** Shown after signing in again when a form was posted with an expired session. Offers to send that form unchanged. */
export function Resume({ path, fields }: ResumeProps) {
  const owner = ownerOf(fields);
  return (
    <Screen className={styles.page}>
      <h1>已重新登录</h1>
      <p>{owner?.name ?? '您'}之前提交的内容已保留，请继续提交。</p>
      <Form action={path} className={styles.resume}>
        <HiddenFields fields={fields} />
        <Submit autoFocus>继续提交</Submit>
        <a href={path}>放弃并返回</a>
      </Form>
    </Screen>
  );
}
