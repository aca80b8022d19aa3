/**
 * Fields of a form (form.tsx). Label, description and error are linked for screen readers by the name of the field.
 * Screens use them with names checked against a call (form-of.ts).
 */
import {
  Checkbox,
  type CheckboxProps,
  Input,
  NativeSelect,
  type NativeSelectProps,
  Radio,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import styles from './form-fields.module.css';
import { useField } from './form-state.ts';
import { limitHint } from './limit-hint.ts';

type OwnProps = 'name' | 'error';

interface Written {
  name: string;
  /** Maximum number of characters, shown below the field. Typing is not stopped there, unless `maxLength` is set. */
  limit?: number;
}

const hintOf = (limit: number | undefined, isRequired = false) =>
  limit === undefined ? undefined : limitHint(limit, !isRequired);

type TextFieldProps = Omit<TextInputProps, OwnProps> & Written;

export function TextField({ name, id = name, limit, ...input }: TextFieldProps) {
  const { value, error } = useField(name);
  // Only text inputs may have aria-required: other types have no role that allows it.
  const required = input.type === undefined && input.withAsterisk;
  const attributes = { id, name, description: hintOf(limit, input.withAsterisk), 'aria-required': required };
  return <TextInput {...attributes} defaultValue={value} error={error} {...input} />;
}

/** Password field. It never shows its value again. */
export function PasswordField({ name, id = name, ...input }: Omit<TextFieldProps, 'limit'>) {
  return <TextInput type="password" id={id} name={name} error={useField(name).error} {...input} />;
}

export const NumberField = (props: TextFieldProps) => <TextField type="number" {...props} />;

/** Date and time in the school's time zone, to the minute. */
export const DateTimeField = (props: TextFieldProps) => <TextField type="datetime-local" {...props} />;

type AreaFieldProps = Omit<TextareaProps, OwnProps> & Written;

export function AreaField({ name, id = name, limit, ...area }: AreaFieldProps) {
  const { value, error } = useField(name);
  const attributes = {
    id,
    name,
    description: hintOf(limit, area.withAsterisk),
    'aria-required': area.withAsterisk,
  };
  return <Textarea {...attributes} defaultValue={value} error={error} resize="vertical" {...area} />;
}

type Choices = readonly (readonly [value: string | number, label: string])[];

type SelectFieldProps = Omit<NativeSelectProps, OwnProps | 'data' | 'children'> & {
  name: string;
  choices: Choices;
  /** Label of the empty option. */
  placeholder?: string;
};

export function SelectField({ name, id = name, choices, placeholder, ...select }: SelectFieldProps) {
  const { value, error } = useField(name);
  return (
    <NativeSelect
      id={id}
      name={name}
      defaultValue={value}
      error={error}
      aria-required={select.withAsterisk}
      {...select}
    >
      {placeholder && <option value="">{placeholder}</option>}
      {choices.map(([choice, label]) => (
        <option key={choice} value={choice}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

interface GroupProps {
  name: string;
  label: ReactNode;
  description?: ReactNode;
  withAsterisk?: boolean;
  choices: readonly (readonly [value: string | number, label: ReactNode])[];
  /** True to place the choices side by side, as far as there is room. */
  inline?: boolean;
  className?: string | undefined;
  /** Shown instead of choices if there are none. */
  children?: ReactNode;
}

const idsOf = (...ids: (ReactNode | undefined)[]) => ids.filter(Boolean).join(' ') || undefined;

type GroupOfProps = GroupProps & { error: string | undefined; each: (value: string, label: ReactNode) => ReactNode };

/** Fieldset with one label and one error for all its controls. */
function Group(props: GroupOfProps) {
  const { name, label, description, withAsterisk, choices, inline, className, children, error, each } = props;
  return (
    <fieldset
      // Links in the error summary lead to the fieldset, because no single control represents the group.
      id={name}
      tabIndex={-1}
      className={[styles.group, className].filter(Boolean).join(' ')}
      aria-describedby={idsOf(error && `${name}-error`, description && `${name}-description`)}
    >
      <legend>
        {label}
        {withAsterisk && <span aria-hidden="true"> *</span>}
      </legend>
      {description && (
        <Input.Description id={`${name}-description`} mb={6}>
          {description}
        </Input.Description>
      )}
      <div className={inline ? styles.inline : styles.stacked}>
        {choices.map(([value, words]) => each(String(value), words))}
        {children}
      </div>
      {error && <Input.Error id={`${name}-error`}>{error}</Input.Error>}
    </fieldset>
  );
}

/** A group of other controls below one label. */
export function GroupField(props: Omit<GroupProps, 'choices'>) {
  return <Group {...props} choices={[]} error={useField(props.name).error} each={() => null} />;
}

export function RadioField(props: GroupProps) {
  const { name } = props;
  const { value: shown, error } = useField(name);
  const each = (value: string, label: ReactNode) => (
    <Radio
      key={value}
      id={`${name}-${value}`}
      name={name}
      value={value}
      label={label}
      defaultChecked={value === shown}
      aria-invalid={error ? true : undefined}
    />
  );
  return <Group {...props} error={error} each={each} />;
}

export function ChecksField(props: GroupProps) {
  const { name } = props;
  const { chosen, error } = useField(name);
  const each = (value: string, label: ReactNode) => (
    <Checkbox
      key={value}
      id={`${name}-${value}`}
      name={name}
      value={value}
      label={label}
      defaultChecked={chosen.includes(value)}
      aria-invalid={error ? true : undefined}
    />
  );
  return <Group {...props} error={error} each={each} />;
}

type CheckFieldProps = Omit<CheckboxProps, OwnProps> & { name: string; value?: string };

export function CheckField({ name, id = name, value = '1', ...box }: CheckFieldProps) {
  const { chosen, error } = useField(name);
  return <Checkbox id={id} name={name} value={value} defaultChecked={chosen.includes(value)} error={error} {...box} />;
}

interface FileFieldProps {
  name: string;
  id?: string;
  label: string;
  description?: string | undefined;
  withAsterisk?: boolean;
  required?: boolean;
  multiple?: boolean;
  camera?: boolean;
  accept?: string | undefined;
  /** Field of the call that receives the file, if it has another name. */
  becomes?: string;
  /** Id of an additional description. */
  describedBy?: string | undefined;
  ref?: Ref<HTMLInputElement>;
  onChange?: () => void;
}

/** The native file input, which works without client JS. */
export function FileField(props: FileFieldProps) {
  const { name, id = name, label, description, withAsterisk, becomes, describedBy, camera, ...file } = props;
  const { error } = useField(becomes ?? name);
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error} withAsterisk={withAsterisk}>
      <input
        type="file"
        className={styles.file}
        id={id}
        name={name}
        {...(camera && { capture: 'environment' })}
        {...file}
        aria-invalid={error ? true : undefined}
        aria-describedby={idsOf(error && `${id}-error`, description && `${id}-description`, describedBy)}
      />
    </Input.Wrapper>
  );
}
