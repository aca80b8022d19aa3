import type { ReactNode } from 'react';
import styles from './sub-line.module.css';

/** More about what stands above it, in a line of its own. */
export const SubLine = ({ children }: { children: ReactNode }) => <span className={styles.below}>{children}</span>;
