import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** Text of an empty list or screen. */
export const Empty = ({ children }: { children: ReactNode }) => <p className={styles.empty}>{children}</p>;
