/** The head of a screen about one record: its picture or first character, its name, and what is known of it. */
import type { ReactNode } from 'react';
import { Facts } from './facts.tsx';
import styles from './record-header.module.css';

interface RecordHeaderProps {
  title: ReactNode;
  /** Where the record may have a picture: its address, and the name that stands in for it. */
  cover?: { image: string; name: string };
  /** `Fact`s. */
  facts: ReactNode;
  /** Beside the facts, such as a button. */
  aside?: ReactNode;
  /** Under the facts. */
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
