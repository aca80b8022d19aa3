/** A text to copy. It can be selected by hand; with client JS a button copies it (copyable.island). */

import { Button, TextInput } from '@mantine/core';
import styles from './copyable.module.css';
import { Island } from './island.tsx';

interface CopyableProps {
  label: string;
  /** Element id, unique on the page. */
  id: string;
  value: string;
}

/** Several texts to copy, with one script for all. */
export function Copyables({ texts }: { texts: CopyableProps[] }) {
  return (
    <Island name="copyable.island" props={{}} fallback={texts.map((text) => <Copyable key={text.id} {...text} />)} />
  );
}

function Copyable({ label, id, value }: CopyableProps) {
  return (
    <TextInput
      id={id}
      label={label}
      readOnly
      value={value}
      inputContainer={(input) => (
        <div className={styles.row}>
          {input}
          {/* Hidden until the script runs. */}
          <Button variant="default" hidden aria-label={`复制：${label}`}>
            <span data-copy>复制</span>
          </Button>
          <span className="visually-hidden" role="status" />
        </div>
      )}
      data-copyable={label}
    />
  );
}
