/** The state of a student in a period; where a leave has a cause, on hover and on focus. */
import { type OpStatus, opStatusNames } from '#server/attendance/contract.ts';
import { Hint } from '../ui/hint.tsx';
import styles from './status-word.module.css';

/** `id`: of the hint, unique on the page. */
export function StatusWord({ id, status, cause }: { id: string; status: OpStatus; cause: string }) {
  const word = (
    <span className={styles.status} data-status={status}>
      {opStatusNames[status]}
    </span>
  );
  const isLeave = status >= 1 && status <= 4;
  if (!isLeave || cause === '') return word;
  return (
    <Hint id={id} content={`请假原因：${cause}`}>
      {word}
    </Hint>
  );
}
