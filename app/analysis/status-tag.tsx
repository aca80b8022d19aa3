import styles from './status-tag.module.css';
import { reportStatusNames } from './terms.ts';

/** The state of a report (document 2, section 4). */
export function StatusTag({ status }: { status: 1 | 2 | 3 }) {
  return (
    <span className={styles.tag} data-status={status}>
      {reportStatusNames[status]}
    </span>
  );
}
