/**
 * Inside a form: what is typed there is kept in the browser until it is sent, and offered again. Without client JS
 * nothing changes.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './draft.module.css';
import { Island } from './island.tsx';
import { type Fields, keepForm } from './keep-form.ts';
import { buttonClass } from './native-look.ts';
import { useRootData } from './root-data.ts';

interface DraftProps {
  /** The form, and the record that it is for: `notice 12`, `notice of class 3`. */
  name: string;
  /** Where the form's fields are React's. */
  restore?: (fields: Fields) => void;
}

export const draftLooks = {
  'data-offer': styles.offer,
  'data-primary': buttonClass('primary'),
  'data-plain': buttonClass('plain'),
};

export function Draft(props: DraftProps) {
  const { me: person, inIsland } = useRootData() ?? {};
  if (!person) return null;
  if (inIsland) return <LiveDraft {...props} person={person.id} />;
  return (
    <Island
      name="form-draft.island"
      props={{}}
      fallback={<div className={styles.place} data-draft={props.name} data-person={person.id} {...draftLooks} />}
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
  return <div ref={place} className={styles.place} {...draftLooks} />;
}
