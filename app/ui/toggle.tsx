/** A switch that the address remembers: a form like any other, without client JS. */
import { HiddenFields } from './hidden-fields.tsx';
import styles from './toggle.module.css';

interface ToggleProps {
  label: string;
  /** Of the flag in the address: `1` where it is on, left out where it is off. */
  name: string;
  on: boolean;
  /** The screen, and what else its address says. */
  action: string;
  keep: Record<string, string | number>;
}

export function Toggle({ label, name, on, action, keep }: ToggleProps) {
  const kept = Object.entries(keep).map(([field, value]) => [field, String(value)] as const);
  return (
    <form action={action} className="no-print">
      <HiddenFields fields={on ? kept : [...kept, [name, '1']]} />
      <button type="submit" role="switch" aria-checked={on} className={styles.toggle}>
        {label}
      </button>
    </form>
  );
}
