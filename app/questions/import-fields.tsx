/**
 * Fields of the dense forms of an import preview. They get values and errors from the form by name. The fields of
 * `ui/form-fields.tsx` name their ids after the field and take a line each; here some hundred stand on a page, side by
 * side, with an id for each question and a key that moves the focus to them.
 */
import { controlClass } from '../ui/control.ts';
import { useField } from '../ui/form-state.ts';
import styles from './import.work.module.css';

interface FieldProps {
  name: string;
  label: string;
  /** Makes the ids of the page unique. */
  of: number | string;
  /** Key that moves the focus here. */
  shortcut?: string;
  className?: string | undefined;
}

type TextProps = FieldProps & {
  decimal?: boolean;
  lines?: number;
  placeholder?: string | undefined;
  /** Id of a datalist with suggestions. */
  list?: string;
};

export function SmallText({ name, label, of, shortcut, className, decimal, lines, placeholder, list }: TextProps) {
  const { value, error } = useField(name);
  const id = `${name}-${of}`;
  const input = {
    id,
    name,
    defaultValue: value,
    className: controlClass,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    'data-key': shortcut,
    placeholder,
  };
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {lines ? (
        <textarea {...input} rows={lines} />
      ) : (
        <input type="text" autoComplete="off" {...input} inputMode={decimal ? 'decimal' : undefined} list={list} />
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

type SelectProps = FieldProps & {
  choices: readonly (readonly [value: number | string, label: string])[];
  /** Label of the empty choice. */
  empty?: string;
};

export function SmallSelect({ name, label, of, shortcut, className, choices, empty }: SelectProps) {
  const { value, error } = useField(name);
  const id = `${name}-${of}`;
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        defaultValue={value}
        className={controlClass}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        data-key={shortcut}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  );
}

const FieldError = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <p className={styles.error} id={`${id}-error`}>
      {error}
    </p>
  ) : null;

interface SmallButtonProps {
  intent: string;
  children: string;
  shortcut?: string;
  /** Why it cannot be pressed. */
  fault?: string | undefined;
  pressed?: boolean;
}

export const SmallButton = ({ intent, children, shortcut, fault, pressed }: SmallButtonProps) => (
  <button
    type="submit"
    name="intent"
    value={intent}
    className={styles.small}
    disabled={fault !== undefined}
    title={fault}
    aria-pressed={pressed}
    data-key={shortcut}
    aria-keyshortcuts={shortcut}
  >
    {children}
  </button>
);
