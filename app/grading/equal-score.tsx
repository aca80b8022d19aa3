/** Score field for equal answers. Caps a number above the full score and has the grader confirm the capped number. */
import { Input } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatScore } from '#server/platform/text/rules.ts';
import { KeypadInput } from '../ui/client/keypad.tsx';
import { changeMessage, type KeypadChange } from '../ui/client/keypad-value.ts';

interface SameScoreProps {
  value: string;
  error?: string | undefined;
  full: number | undefined;
}

export function EqualScore({ value, error: refused, full = 0 }: SameScoreProps) {
  /** How the typed number was changed. `seen` is true once the grader has seen the changed number. */
  const [cut, setCut] = useState<{ changed: KeypadChange; seen: boolean }>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = field.current?.form;
    if (!cut || cut.seen || !form) return undefined;
    // The first submit after a change only shows the changed number. The second one saves it.
    const lookUp = (event: SubmitEvent) => {
      event.preventDefault();
      setCut({ ...cut, seen: true });
    };
    form.addEventListener('submit', lookUp);
    return () => form.removeEventListener('submit', lookUp);
  }, [cut]);
  const error = cut ? changeMessage(cut.changed, full) : refused;
  return (
    <Input.Wrapper id="same_score" label="得分" error={error} errorProps={cut && { role: 'alert' }}>
      <KeypadInput
        ref={field}
        id="same_score"
        name="user_score"
        defaultValue={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'same_score-error' : undefined}
        min={0}
        max={full}
        decimals={1}
        placeholder={`0 – ${formatScore(full)}`}
        onValueChange={(_, changed) =>
          setCut((before) => {
            const told = changed ?? (before?.changed === 'over' ? undefined : before?.changed);
            return told && { changed: told, seen: before?.seen === true && changed === undefined };
          })
        }
        onKeyDown={(event) => {
          // Key repeat of a held Enter must not submit.
          if (event.key === 'Enter' && event.repeat) event.preventDefault();
        }}
      />
    </Input.Wrapper>
  );
}
