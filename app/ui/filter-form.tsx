/** The filters of a list: a GET form, so that the address holds them. */
import { Button, Checkbox } from '@mantine/core';
import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './filter-form.module.css';
import { HiddenFields } from './hidden-fields.tsx';
import { fieldLook } from './native-look.ts';
import { downward } from './theme.tsx';

interface FilterFormProps {
  /** The list's own address. */
  action: string;
  /** What stays as it is, such as the tab. */
  keep: readonly (readonly [string, string])[];
  /** The list without filters. */
  resetHref: string;
  children: ReactNode;
}

export function FilterForm({ action, keep, resetHref, children }: FilterFormProps) {
  return (
    <form action={action} className={`${styles.form} no-print`} aria-label="筛选">
      <HiddenFields fields={keep} />
      {children}
      <div className={styles.actions}>
        <Button type="submit">查询</Button>
        <Button component="a" href={resetHref} variant="default">
          重置
        </Button>
      </div>
    </form>
  );
}

/** Those of a picker, which are fields of its own form. */
export function PickerFilters({
  resetHref,
  search,
  children,
}: {
  /** The picker without filters; left out where its ticks would be lost. */
  resetHref?: string;
  /** What the button that searches says in the address. */
  search?: { name: string; value: string };
  children: ReactNode;
}) {
  return (
    <div className={styles.form}>
      {children}
      <div className={styles.actions}>
        <Button type="submit" variant="default" {...search}>
          查询
        </Button>
        {resetHref && (
          <Button component="a" href={resetHref} variant="default">
            重置
          </Button>
        )}
      </div>
    </div>
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
  const id = useId();
  return (
    <div className={fieldLook.root}>
      <label className={fieldLook.label} htmlFor={id}>
        {label}
      </label>
      <Field id={id} type="search" name={name} defaultValue={value} maxLength={200} placeholder={placeholder} />
    </div>
  );
}

const Field = (props: ComponentProps<'input'>) => (
  <div className={fieldLook.wrapper} data-variant={fieldLook.variant}>
    <input {...props} className={fieldLook.input} data-variant={fieldLook.variant} />
  </div>
);

interface RangeProps {
  label: string;
  from: [name: string, value: string | undefined];
  to: [name: string, value: string | undefined];
}

/** Two days, both inclusive. */
export const RangeFilter = (range: RangeProps) => <Range type="date" {...range} />;

/** Two moments of the school's clock, to the minute, both inclusive; values as a datetime-local field has them. */
export const MomentRangeFilter = (range: RangeProps) => <Range type="datetime-local" {...range} />;

function Range({ type, label, from, to }: RangeProps & { type: 'date' | 'datetime-local' }) {
  const note = useId();
  const isTurned = from[1] !== undefined && to[1] !== undefined && from[1] > to[1];
  return (
    <fieldset className={styles.range} aria-describedby={isTurned ? note : undefined}>
      <legend>{label}</legend>
      {/* A field set itself is no grid in browsers before Chrome 87. */}
      <div>
        <Field type={type} name={from[0]} defaultValue={from[1]} aria-label={`${label}从`} />
        <span aria-hidden="true">至</span>
        <Field type={type} name={to[0]} defaultValue={to[1]} aria-label={`${label}到`} />
      </div>
      {isTurned && (
        <p id={note} className={styles.note}>
          起止颠倒，已按从早到晚查询
        </p>
      )}
    </fieldset>
  );
}

/** What has an id and a name, as choices. */
export const choicesOf = (named: readonly { id: number; name: string }[]) =>
  named.map(({ id, name }) => [id, name] as const);

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
  // A shared link may name what is gone: the list has no rows then, and the field says why.
  const isUnknown = value !== undefined && !choices.some(([choice]) => choice === value);
  const id = useId();
  return (
    <div className={fieldLook.root}>
      <label className={fieldLook.label} htmlFor={id}>
        {label}
      </label>
      <div
        className={`${fieldLook.wrapper} ${styles.choice}`}
        data-variant={fieldLook.variant}
        data-pointer
        data-with-right-section
      >
        <select
          id={id}
          name={name}
          defaultValue={value ?? ''}
          disabled={disabled}
          className={fieldLook.input}
          data-variant={fieldLook.variant}
          data-disabled={disabled || undefined}
        >
          <option value="">全部</option>
          {isUnknown && <option value={value}>已不存在的选项</option>}
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
        <div className={fieldLook.section} data-position="right">
          {downward}
        </div>
      </div>
    </div>
  );
}

/**
 * A box to tick. One that is on by default (`usuallyOn`) sends 0 before its own 1, so that the address says that it is
 * off: the last value of its name counts, and none means on (`UsuallyTicked`).
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
    <div className={styles.flag}>
      {usuallyOn && <input type="hidden" name={name} value="0" />}
      <Checkbox label={label} name={name} value="1" defaultChecked={checked} />
    </div>
  );
}
