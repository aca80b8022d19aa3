/** A text to hand on: it can be marked and copied by hand, and with client JS by its button (copyable.island). */

import styles from './copyable.module.css';
import { controlClass } from './field.tsx';
import { Island } from './island.tsx';

interface CopyableProps {
  label: string;
  /** Unique on the page. */
  id: string;
  value: string;
}

/** Several of them, one script for all. */
export function Copyables({ texts }: { texts: CopyableProps[] }) {
  return (
    <Island name="copyable.island" props={{}} fallback={texts.map((text) => <Copyable key={text.id} {...text} />)} />
  );
}

function Copyable({ label, id, value }: CopyableProps) {
  return (
    <div className={styles.copyable}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        <input id={id} readOnly value={value} className={controlClass} data-copyable={label} />
      </div>
    </div>
  );
}
