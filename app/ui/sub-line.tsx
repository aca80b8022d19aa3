import type { ReactNode } from 'react';
import styles from './sub-line.module.css';

/** A second line with details, below the text of a cell. */
export const SubLine = ({ children }: { children: ReactNode }) => <span className={styles.below}>{children}</span>;
