/**
 * The fields of a form (form.tsx). Each takes its name; label, description and error are wired for screen readers. The
 * screens get them with the names of their call (form-of.ts).
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

type Own = 'name' | 'value' | 'defaultValue' | 'defaultChecked' | 'error';

interface Written {
  name: string;
  /** Characters that its call takes: said under the field. Typing goes on beyond, unless there is a `maxLength`. */
  limit?: number;
}

const hintOf = (limit: number | undefined, isRequired = false) =>
  limit === undefined ? undefined : limitHint(limit, !isRequired);

type TextFieldProps = Omit<TextInputProps, Own> & Written;

export function TextField({ name, id = name, limit, ...input }: TextFieldProps) {
  const { value, error } = useField(name);
  // A field of another type has no role that could be told to be required.
  const required = input.type === undefined && input.withAsterisk;
  const attributes = { id, name, description: hintOf(limit, input.withAsterisk), 'aria-required': required };
  return <TextInput {...attributes} defaultValue={value} error={error} {...input} />;
}

/** What is typed here is never shown again. */
export function PasswordField({ name, id = name, ...input }: Omit<TextFieldProps, 'limit'>) {
  return <TextInput type="password" id={id} name={name} error={useField(name).error} {...input} />;
}

export const NumberField = (props: TextFieldProps) => <TextField type="number" {...props} />;

/** A moment of the school's clock, to the minute. */
export const DateTimeField = (props: TextFieldProps) => <TextField type="datetime-local" {...props} />;

type AreaFieldProps = Omit<TextareaProps, Own> & Written;

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

type SelectFieldProps = Omit<NativeSelectProps, Own | 'data' | 'children'> & {
  name: string;
  choices: Choices;
  /** The words of no choice. */
  placeholder?: string;
};

export function SelectField({ name, id = name, choices, placeholder, ...select }: SelectFieldProps) {
  const { value, error } = useField(name);
  return (
    <NativeSelect
      id={id}
      name={name}
      defaultValue={value ?? ''}
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
  /** Beside each other, as far as there is room. */
  inline?: boolean;
  className?: string | undefined;
  /** What stands in place of choices, where there are none. */
  children?: ReactNode;
}

const idsOf = (...ids: (ReactNode | undefined)[]) => ids.filter(Boolean).join(' ') || undefined;

type GroupOfProps = GroupProps & { error: string | undefined; each: (value: string, label: ReactNode) => ReactNode };

/** What belongs to one label and one error: a fieldset, as screen readers know it. */
function Group(props: GroupOfProps) {
  const { name, label, description, withAsterisk, choices, inline, className, children, error, each } = props;
  return (
    <fieldset
      // Where a link to its error leads: no single control stands for the group.
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

/** What is no choice, under a label of its own. */
export function GroupField(props: Omit<GroupProps, 'choices'>) {
  return <Group {...props} choices={[]} error={useField(props.name).error} each={() => null} />;
}

/** One of few, all of them shown. */
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

/** Any of several. */
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

type CheckFieldProps = Omit<CheckboxProps, Own> & { name: string; value?: string };

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
  /** On a phone its camera opens at once. */
  camera?: boolean;
  accept?: string | undefined;
  /** The field of the call that the file becomes, where it has another name. */
  becomes?: string;
  /** The id of what else is to be known of it. */
  describedBy?: string | undefined;
  ref?: Ref<HTMLInputElement>;
  onChange?: () => void;
}

/** The browser's own: a file cannot be chosen without client JS in any other. */
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
