/** The filters of a list: a GET form, so that the address holds them. */
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { controlClass } from './field.tsx';
import styles from './filter-form.module.css';
import { HiddenFields } from './hidden-fields.tsx';

interface FilterFormProps {
  /** The list's own address. */
  action: string;
  /** What stays as it is, such as the tab. */
  keep: Record<string, string | number | undefined>;
  /** The list without filters. */
  resetHref: string;
  children: ReactNode;
}

export function FilterForm({ action, keep, resetHref, children }: FilterFormProps) {
  const kept = Object.entries(keep).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return (
    <form action={action} className={`${styles.form} no-print`} aria-label="筛选">
      <HiddenFields fields={kept} />
      {children}
      <div className={styles.actions}>
        <button type="submit" className={buttonClass('primary')}>
          查询
        </button>
        <a href={resetHref} className={buttonClass('plain')}>
          重置
        </a>
      </div>
    </form>
  );
}

export function TextFilter({
  label,
  name,
  value,
  placeholder,
}: {
  label: string;
  name: string;
  value: string | undefined;
  placeholder?: string;
}) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        type="search"
        name={name}
        defaultValue={value}
        maxLength={200}
        placeholder={placeholder}
        className={controlClass}
      />
    </label>
  );
}

/** Two days, both inclusive. */
export function RangeFilter({
  label,
  from,
  to,
}: {
  label: string;
  from: [name: string, value: string | undefined];
  to: [name: string, value: string | undefined];
}) {
  return (
    <fieldset className={`${styles.field} ${styles.range}`}>
      <legend>{label}</legend>
      <input type="date" name={from[0]} defaultValue={from[1]} aria-label={`${label}从`} className={controlClass} />
      <span aria-hidden="true">至</span>
      <input type="date" name={to[0]} defaultValue={to[1]} aria-label={`${label}到`} className={controlClass} />
    </fieldset>
  );
}

/** Two moments of the school's clock, to the minute, both inclusive; values as a datetime-local field has them. */
export function MomentRangeFilter({
  label,
  from,
  to,
}: {
  label: string;
  from: [name: string, value: string | undefined];
  to: [name: string, value: string | undefined];
}) {
  return (
    <fieldset className={`${styles.field} ${styles.range}`}>
      <legend>{label}</legend>
      <input
        type="datetime-local"
        name={from[0]}
        defaultValue={from[1]}
        aria-label={`${label}从`}
        className={controlClass}
      />
      <span aria-hidden="true">至</span>
      <input
        type="datetime-local"
        name={to[0]}
        defaultValue={to[1]}
        aria-label={`${label}到`}
        className={controlClass}
      />
    </fieldset>
  );
}

export function ChoiceFilter({
  label,
  name,
  value,
  choices,
  disabled,
}: {
  /** Another filter decides it. */
  disabled?: boolean;
  label: string;
  name: string;
  value: string | number | undefined;
  choices: readonly (readonly [value: string | number, label: string])[];
}) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <select name={name} defaultValue={value ?? ''} className={controlClass} disabled={disabled}>
        <option value="">全部</option>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * A box to tick. One that is on by default (`usuallyOn`) sends 0 before its own 1, so that the address says that it is
 * off: the last value of its name counts, and none means on (`isUsuallyOn`).
 */
export function FlagFilter({
  label,
  name,
  checked,
  usuallyOn,
}: {
  label: string;
  name: string;
  checked: boolean;
  usuallyOn?: boolean;
}) {
  return (
    <label className={styles.flag}>
      {usuallyOn && <input type="hidden" name={name} value="0" />}
      <input type="checkbox" name={name} value="1" defaultChecked={checked} />
      <span>{label}</span>
    </label>
  );
}
