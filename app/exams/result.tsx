/** How a report stands, in the lists of papers and of students. */
import { Tag } from '../ui/tag.tsx';
import styles from './detail.module.css';
import { passNames, testStatusNames } from './terms.ts';

export const TestStatus = ({ status }: { status: 2 | 3 }) => (
  <Tag tone={status === 2 ? 'warn' : 'good'}>{testStatusNames[status]}</Tag>
);

export const PassResult = ({ pass }: { pass: 0 | 1 | 2 }) => (
  <span className={pass === 2 ? styles.failed : undefined}>{passNames[pass]}</span>
);
