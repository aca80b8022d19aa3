import type { HistoryRow } from '#server/history/contract.ts';
import styles from './changes.module.css';

/** Lists the changed fields of a history row, with old and new values. */
export function Changes({ row: { changes } }: { row: HistoryRow }) {
  if (changes.length === 0) return '-';
  return (
    <ul className={styles.changes}>
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          {name}：{before && <del>{before}</del>}
          {before && ' → '}
          <span>{after || '空'}</span>
        </li>
      ))}
    </ul>
  );
}
