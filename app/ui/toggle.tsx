/** A switch whose state is in the address. Works as a plain form without client JS. */
import { AddressForm } from './address-form.tsx';
import styles from './toggle.analysis.module.css';

interface ToggleProps {
  label: string;
  on: boolean;
  /** Address with the switch in the other state. */
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
