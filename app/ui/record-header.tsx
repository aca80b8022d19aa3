/** Header of a record's screen: picture (or first character of the name), name, facts. */
import type { ReactNode } from 'react';
import { Facts } from './facts.tsx';
import styles from './record-header.module.css';

interface RecordHeaderProps {
  title: ReactNode;
  /** Picture of the record, and the name whose first character replaces a missing picture. */
  cover?: { image: string; name: string };
  facts: ReactNode;
  /** Shown beside the facts, such as a button. */
  aside?: ReactNode;
  children?: ReactNode;
}

export function RecordHeader({ title, cover, facts, aside, children }: RecordHeaderProps) {
  return (
    <header className={styles.header}>
      {cover && <Cover {...cover} />}
      <div>
        <h1>{title}</h1>
        <Facts>{facts}</Facts>
        {children}
      </div>
      {aside}
    </header>
  );
}

function Cover({ image, name }: { image: string; name: string }) {
  if (image) return <img src={image} alt="" className={styles.cover} />;
  return (
    <span className={styles.cover} aria-hidden="true">
      {[...name][0]}
    </span>
  );
}
