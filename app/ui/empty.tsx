import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** What a screen says where there is nothing to show. */
export const Empty = ({ children }: { children: ReactNode }) => <p className={styles.empty}>{children}</p>;
