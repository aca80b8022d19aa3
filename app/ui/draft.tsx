/**
 * Inside a form: what is typed there is kept in the browser until it is sent, and offered again. Without client JS
 * nothing changes.
 */
import { Button } from '@mantine/core';
import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react';
import { type Fields, keepForm } from './client/drafts/keep-form.ts';
import styles from './draft.module.css';
import { Island } from './island.tsx';
import { useRootData } from './root-data.ts';

interface DraftProps {
  /** The form, and the record that it is for: `notice 12`, `notice of class 3`. */
  name: string;
  /** Where the form's fields are React's. */
  restore?: (fields: Fields) => void;
}

/** Shown and filled in by keepForm, where there is something to offer. */
export const DraftPlace = (place: ComponentProps<'div'>) => (
  <div {...place} className={styles.offer} hidden>
    <p />
    <Button>恢复上次未提交的内容</Button>
    <Button variant="default">放弃</Button>
  </div>
);

export function Draft(props: DraftProps) {
  const { me: person, inIsland } = useRootData() ?? {};
  if (!person) return null;
  if (inIsland) return <LiveDraft {...props} person={person.id} />;
  return (
    <Island
      name="form-draft.island"
      props={{}}
      fallback={<DraftPlace data-draft={props.name} data-person={person.id} />}
    />
  );
}

function LiveDraft({ name, person, restore }: DraftProps & { person: number }) {
  const place = useRef<HTMLDivElement>(null);
  const give = useEffectEvent((fields: Fields) => restore?.(fields));
  const isReact = restore !== undefined;
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!place.current || !form) return;
    const stand = place.current;
    // After the fields have changed from those without client JS to those with it.
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop = keepForm(form, stand, { person, name, ...(isReact && { restore: (fields) => give(fields) }) });
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [name, person, isReact]);
  return <DraftPlace ref={place} />;
}
