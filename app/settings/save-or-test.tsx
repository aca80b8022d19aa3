import type { TestResult } from '#server/settings/contract.ts';
import { Submit } from '../ui/form.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './settings.posts.module.css';

function TriedService({ tried }: { tried: TestResult | undefined }) {
  if (!tried) return null;
  const { ok, status, took, said } = tried;
  return (
    <section className={styles.tried} role="status" aria-label="试一试的结果">
      <Tag tone={ok ? 'good' : 'bad'}>{ok ? '成功' : '未成功'}</Tag>{' '}
      {[status !== null && `对方应答 ${status}`, said].filter(Boolean).join('，')}，用时 {took} 毫秒。设置尚未保存。
    </section>
  );
}

/** The buttons 保存 and test below a service's fields, and the result of the test. The test saves nothing. */
export function SaveOrTest({ tried }: { tried: TestResult | undefined }) {
  return (
    <>
      <TriedService tried={tried} />
      <div className={styles.buttons}>
        <Submit>保存</Submit>
        <Submit intent="try" variant="default">
          试一试
        </Submit>
      </div>
    </>
  );
}
