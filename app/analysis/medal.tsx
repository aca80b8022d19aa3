import styles from './medal.analysis.module.css';

/** A rank, with a medal for the first three. The number stays readable on the medal. */
export function Medal({ rank, of }: { rank: number; of: number }) {
  const title = `第 ${rank} 名，共 ${of} 人已批改`;
  if (rank > 3) return <span title={title}>{rank}</span>;
  return (
    <span className={styles.medal} data-rank={rank} title={title}>
      <svg viewBox="0 0 24 28" width="22" height="26" aria-hidden="true">
        <path d="M6 0h5l1 9-4 2zM18 0h-5l-1 9 4 2z" />
        <circle cx="12" cy="18" r="9" />
      </svg>
      <span>{rank}</span>
    </span>
  );
}
