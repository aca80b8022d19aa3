import { sessionStatusNames } from '#server/sessions/contract.ts';
import styles from './status-tag.module.css';

export function SessionStatusTag({ status }: { status: 1 | 2 | 3 | 4 }) {
  return (
    <span className={styles.tag} data-status={status}>
      {sessionStatusNames[status]}
    </span>
  );
}
