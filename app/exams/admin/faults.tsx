import { useId } from 'react';
import styles from './admin.posts.module.css';

/** Lists the reasons why an exam cannot be published yet. */
export function PublishFaults({ faults }: { faults: readonly string[] }) {
  const id = useId();
  if (faults.length === 0) return <p className={styles.note}>试卷检查通过，可以发布。</p>;
  return (
    <section className={styles.faults} aria-labelledby={id}>
      <h2 id={id}>发布前需要处理</h2>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </section>
  );
}
