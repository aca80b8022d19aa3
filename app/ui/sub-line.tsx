import type { ReactNode } from 'react';
import styles from './sub-line.module.css';

/** A second line with more details. */
export const SubLine = ({ children }: { children: ReactNode }) => <span className={styles.below}>{children}</span>;
