/** What a service answered when it was tried, word for word. */
import type { Tried } from '#server/school/settings.contract.ts';
import { Tag } from '../ui/tag.tsx';
import styles from './settings.module.css';

export function TriedService({ tried }: { tried: Tried | undefined }) {
  if (!tried) return null;
  const { ok, status, took, said } = tried;
  return (
    <section className={styles.tried} role="status" aria-label="试一试的结果">
      <Tag tone={ok ? 'good' : 'bad'}>{ok ? '成功' : '未成功'}</Tag> {status === null ? said : `对方应答 ${status}`}
      ，用时 {took} 毫秒。设置尚未保存。
      {status !== null && said && <pre>{said}</pre>}
    </section>
  );
}
