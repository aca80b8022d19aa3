/**
 * Field for date and time, to the minute, in the school's time zone. It is a native field, so it can be typed into.
 * With client JS, Mantine's calendar in Chinese replaces the native one, which uses the browser's language.
 */
import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { NamesOf } from '../fields-of.ts';
import { useField } from '../form-state.ts';
import styles from './date-field.module.css';
import { writeInto } from './drafts/write-into.ts';

/** Not rendered on the server, which does not bundle the calendar. */
const DateCalendar = import.meta.env.SSR ? () => null : lazy(() => import('./date-calendar.tsx'));

type MomentFieldProps = Pick<TextInputProps, 'description' | 'withAsterisk' | 'readOnly'> & {
  name: string;
  label: string;
};

function MomentField({ name, label, readOnly, ...input }: MomentFieldProps) {
  const { value, error } = useField(name);
  const isHydrated = useHydrated();
  const [opened, setOpened] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isLive = isHydrated && !readOnly;
  const close = () => {
    setOpened(undefined);
    button.current?.focus();
  };
  return (
    <div className={styles.field} data-live={isLive || undefined}>
      <TextInput
        ref={field}
        type="datetime-local"
        id={name}
        name={name}
        label={label}
        defaultValue={value}
        error={error}
        readOnly={readOnly}
        rightSection={
          isLive && (
            <UnstyledButton
              ref={button}
              className={styles.open}
              aria-label={`${label}：打开日历`}
              aria-haspopup="dialog"
              aria-expanded={opened !== undefined}
              onClick={() => setOpened((before) => (before === undefined ? (field.current?.value ?? '') : undefined))}
            >
              <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true">
                <path d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3" />
              </svg>
            </UnstyledButton>
          )
        }
        {...input}
      />
      {opened !== undefined && (
        <Suspense>
          <DateCalendar
            label={label}
            opened={opened}
            button={button}
            onChange={(moment) => field.current && writeInto(field.current, moment)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Returns a MomentField that accepts only field names of the call C. Separate from `fieldsOf`, so that forms without a
 * date do not load it.
 */
export const momentFieldOf = <C extends AnyCall>(): ((props: MomentFieldProps & { name: NamesOf<C> }) => ReactNode) =>
  MomentField;
