/** How a report stands, in the lists of papers and of students. */
import styles from './detail.module.css';
import { passNames, testStatusNames } from './terms.ts';

export const TestStatus = ({ status }: { status: 2 | 3 }) => (
  <span className={styles.status} data-status={status}>
    {testStatusNames[status]}
  </span>
);

export const PassResult = ({ pass }: { pass: 0 | 1 | 2 }) => (
  <span className={pass === 2 ? styles.failed : undefined}>{passNames[pass]}</span>
);
