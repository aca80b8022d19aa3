import styles from './stars.module.css';

/** Five stars; the first `filled` are filled. `label` is for screen readers. */
export function Stars({ filled, label }: { filled: number; label: string }) {
  return (
    <span className={styles.stars} role="img" aria-label={label} title={label}>
      {'★'.repeat(filled)}
      <span>{'★'.repeat(5 - filled)}</span>
    </span>
  );
}
