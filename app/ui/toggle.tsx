/** A switch that the address remembers: a form like any other, without client JS. */
import { AddressForm } from './address-form.tsx';
import styles from './toggle.analysis.module.css';

interface ToggleProps {
  label: string;
  on: boolean;
  /** The screen with the switch the other way. */
  href: string;
}

export function Toggle({ label, on, href }: ToggleProps) {
  return (
    <AddressForm href={href} className="no-print">
      <button type="submit" role="switch" aria-checked={on} className={styles.toggle}>
        {label}
      </button>
    </AddressForm>
  );
}
